import { assignWork } from '../../platform/fairness/owner.ts';
import { createHash } from 'node:crypto';
import type { App, Viewer } from '../../app.ts';
import type { SealContext } from '../../platform/vault/vault.ts';
import type { PaymentLink } from './payment-link.ts';
import { findLinkByDigest, readSealedTokens, type LinkSecrets } from './store/links.ts';

// The token is all that a buyer needs to pay, so the database alone must not reveal it. A link is found by the token's
// digest. The token is also stored sealed, because the address stays visible with the link.

/** 128 bits, too many to guess. */
const TOKEN_BYTES = 16;

/** Creates the token of a new link. Must not run inside a transaction, like all calls of the vault. */
export async function makeToken(app: App, merchantAccountId: string, id: string): Promise<LinkSecrets> {
  const token = app.ids.random(TOKEN_BYTES).toString('base64url');
  return {
    tokenDigest: digestOf(token),
    sealedToken: await app.vault.seal(contextOf(merchantAccountId, id), token),
  };
}

/**
 * Returns the addresses of payment links in the order of the ids. An id unknown to the viewer's merchant account gives
 * null.
 */
export async function findPaymentLinkUrls(
  app: App,
  { merchantAccountId }: Viewer,
  ids: readonly string[],
): Promise<readonly (string | null)[]> {
  const sealed = await readSealedTokens(app.db, merchantAccountId, ids);
  const byId = new Map(sealed.map(({ id, sealedToken }) => [id, sealedToken]));
  return Promise.all(
    ids.map(async (id) => {
      const text = byId.get(id.toLowerCase());
      if (text === undefined) return null;
      const token = await app.vault.open(contextOf(merchantAccountId, id.toLowerCase()), text);
      return `${app.publicUrl}/pay/${token}`;
    }),
  );
}

/** Finds the payment link of a token, in any merchant account and any status, or null. */
export async function findByToken(app: App, token: string): Promise<PaymentLink | null> {
  if (!/^[\w-]{22}$/.test(token)) return null;
  const link = await findLinkByDigest(app.db, digestOf(token));
  if (link) assignWork(link.merchantAccountId);
  return link;
}

/** A random token cannot be guessed, so a plain digest is enough. */
const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex');

const contextOf = (merchantAccountId: string, rowId: string): SealContext => ({
  merchantAccountId,
  table: 'payment_link',
  column: 'sealed_token',
  rowId,
});
