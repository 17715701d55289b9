import { createHash, timingSafeEqual } from 'node:crypto';
import type { App } from '../../../app.ts';
import type { Operated, Operation } from '../model/operation.ts';
import type { Transaction } from '../model/transaction.ts';

/** The only use of a token: to open the session, to complete the payment, or to bring the buyer back. */
export type Purpose = 'session' | 'completion' | 'return';

/** The length of a token: 128 bits, as hexadecimal digits. */
const TOKEN_LENGTH = 32;

/**
 * Makes the token of an authorisation for one purpose. Nobody can guess the token, and the database alone does not
 * reveal it. It is the same at each call, so that a repeated request gets the same answer.
 */
export async function tokenFor(
  { vault }: Pick<App, 'vault'>,
  purpose: Purpose,
  { merchantAccountId, id }: Pick<Operation, 'merchantAccountId' | 'id'>,
): Promise<string> {
  const digest = await vault.fingerprint(merchantAccountId, `${purpose} of ${id}`);
  return digest.slice(0, TOKEN_LENGTH);
}

/** Returns the digest that finds a session. A token has no pattern to guess, so a plain digest is enough. */
export const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * Compares two tokens in constant time. Digests have equal length, so the time reveals nothing about the right token.
 */
export const isSameToken = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(digestOf(one), 'hex'), Buffer.from(digestOf(other), 'hex'));

/**
 * Returns the token with which the buyer's client opens its session. Null when the payment waits for no session. Only
 * the answer of the creating mutation has the token, because a reader of transactions must not complete them.
 */
export const sessionTokenOf = async (
  app: Pick<App, 'vault'>,
  { operation, transaction }: Operated,
): Promise<string | null> => (waitsForClient(transaction) ? tokenFor(app, 'session', operation) : null);

/** True while a payment waits for the buyer's client, and not for a page. */
export const waitsForClient = ({
  status,
  approvalUrl,
}: Pick<Transaction, 'status' | 'approvalUrl'>): boolean =>
  status === 'buyer_approval_pending' && approvalUrl === null;
