import { createHash } from 'node:crypto';
import type { App, Viewer } from '../../app.ts';
import type { SealContext } from '../../platform/vault/vault.ts';
import type { PaymentLink } from './payment-link.ts';
import { findLinkByDigest, readSealedTokens, type LinkSecrets } from './store/links.ts';

// The token is all that a buyer needs to pay, so the database alone must not give it away: a link is found by its digest,
// and because the address is shown with the link for ever, the token is also kept sealed.

/** 128 bits: not to be guessed. */
const TOKEN_BYTES = 16;

/** Makes the token of a link that is about to be written. Not inside a transaction, as all of the vault. */
export async function makeToken(app: App, merchantAccountId: string, id: string): Promise<LinkSecrets> {
  const token = app.ids.random(TOKEN_BYTES).toString('base64url');
  return {
    tokenDigest: digestOf(token),
    sealedToken: await app.vault.seal(contextOf(merchantAccountId, id), token),
  };
}

/** The addresses of payment links, in the order of the ids; null where the viewer's merchant account has no such link. */
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

/** The payment link of a token, of whatever merchant account and in whatever status; null when there is none. */
export async function findByToken(app: App, token: string): Promise<PaymentLink | null> {
  if (!/^[\w-]{22}$/.test(token)) return null;
  return findLinkByDigest(app.db, digestOf(token));
}

/** A token has no pattern that could be tried, so a plain digest is enough. */
const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex');

const contextOf = (merchantAccountId: string, rowId: string): SealContext => ({
  merchantAccountId,
  table: 'payment_link',
  column: 'sealed_token',
  rowId,
});
