import { createHash, timingSafeEqual } from 'node:crypto';
import type { App } from '../../../app.ts';
import type { Operated, Operation } from '../model/operation.ts';

/** What a token of a session is good for, and for nothing else: to open it, or to complete the payment. */
export type Purpose = 'session' | 'completion';

/** Of a token: 128 bits, as hexadecimal digits. */
const TOKEN_LENGTH = 32;

/**
 * The token of an authorisation for one purpose: nobody can guess it, the database alone does not give it away, and it is the
 * same whenever it is asked for, so that a repeated request is answered alike.
 */
export async function tokenFor(
  { vault }: Pick<App, 'vault'>,
  purpose: Purpose,
  { merchantAccountId, id }: Pick<Operation, 'merchantAccountId' | 'id'>,
): Promise<string> {
  const digest = await vault.fingerprint(merchantAccountId, `${purpose} of ${id}`);
  return digest.slice(0, TOKEN_LENGTH);
}

/** What a session is found by. A token has no pattern that could be tried, so a plain digest is enough. */
export const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Whether two tokens are one. Digests of one length are compared, so that nothing of the right one shows in the time taken. */
export const isSameToken = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(digestOf(one), 'hex'), Buffer.from(digestOf(other), 'hex'));

/**
 * What the maker of a payment gives its buyer's client, to be exchanged for a session; null when the payment does not wait for
 * one. In the maker's answer only: who may read transactions must not be able to complete them.
 */
export const sessionTokenOf = async (
  app: Pick<App, 'vault'>,
  { operation, transaction }: Operated,
): Promise<string | null> =>
  transaction.status === 'buyer_approval_pending' && transaction.approvalUrl === null
    ? tokenFor(app, 'session', operation)
    : null;
