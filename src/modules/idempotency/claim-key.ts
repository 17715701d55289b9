import type { Db, Tx } from '../../platform/database/db.ts';
import { insertKey, type Keyed, type Stored } from './create-once.ts';
import type { Fingerprint } from './fingerprint.ts';

// A mutation that calls a provider commits its key with its claim, and the result with the outcome.

/** A key with the digests of its request. */
export type KeyedRequest = Keyed & { readonly fingerprint: Fingerprint };

/** Reads the live record of a key outside a transaction. Null when the key is new or has expired. */
export const findKey = ({ prisma }: Db, request: Keyed): Promise<Stored | null> => readKey(prisma, request);

/** Reads the live record of a key. Null when the key is new or has expired. */
export const readKey = (
  { idempotencyKey }: Pick<Tx, 'idempotencyKey'>,
  { merchantAccountId, operation, key, now }: Keyed,
): Promise<Stored | null> =>
  idempotencyKey.findFirst({ where: { merchantAccountId, operation, key, expiresAt: { gt: now } } });

/**
 * Writes the record of a key in the transaction that claims `resourceId`. Waits for a transaction that is writing the
 * same key. False when another request has the key.
 */
export const claimKey = async (tx: Tx, request: KeyedRequest, resourceId: string): Promise<boolean> =>
  (await insertKey(tx, request, request.fingerprint, resourceId)) === null;

/** Stores the result of a claimed key in the transaction that settles `resourceId`. A key in another use stays. */
export async function settleKey(
  tx: Tx,
  { merchantAccountId, operation, key, resourceId }: Omit<Keyed, 'now'> & { readonly resourceId: string },
  result: string,
): Promise<void> {
  await tx.idempotencyKey.updateMany({
    where: { merchantAccountId, operation, key, resourceId },
    data: { result },
  });
}
