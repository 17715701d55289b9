import { environmentOf } from '../../../platform/process/config.ts';
import { z } from 'zod';
import type { App, Viewer } from '../../../app.ts';
import { notFound, type InvalidInput, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { isUuid } from '../../../platform/ids.ts';
import { metadata } from '../../../platform/input/metadata.ts';
import { text } from '../../../platform/input/text.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import { readTransactions } from '../rows/read.sql.ts';
import type { Transaction } from '../model/transaction.ts';
import { writeUpdate } from './update.sql.ts';

/** The input of updateTransaction. */
export const updateInput = z
  .object({ externalIdentifier: text(1, 200).nullish(), metadata: metadata.nullish() })
  .refine(
    (given) => Object.values(given).some((value) => value !== undefined),
    'Must name a field to change.',
  );

/**
 * Changes the merchant's own data of a transaction: its external identifier and its metadata.
 *
 * - An absent field keeps its value, null clears the field, and metadata is replaced as a whole.
 * - Amounts, statuses and operations stay. No provider is called. Providers keep the external identifier of the creation.
 * - The answers of idempotency keys keep the earlier values.
 *
 * Commits once: the transaction, the event `transaction.modified` and a history entry. Equal values write nothing.
 */
export async function updateTransaction(
  app: App,
  { merchantAccountId }: Viewer,
  transactionId: string,
  given: unknown,
): Promise<Result<Transaction, InvalidInput | NotFound>> {
  const checked = parseInput(updateInput, given);
  if (!checked.ok) return checked;
  if (!isUuid(transactionId)) return refuse(notFound('transaction'));
  const of = {
    merchantAccountId,
    transactionId,
    historyId: app.ids.uuid(),
    eventId: app.ids.uuid(),
    environment: environmentOf(app.config),
    now: app.clock.now(),
  } as const;
  const changed = await writeUpdate(app.db, of, checked.value);
  if (changed) {
    app.wakeRelay();
    return ok(changed);
  }
  const [unchanged] = await readTransactions(app.db, merchantAccountId, [transactionId]);
  return unchanged ? ok(unchanged) : refuse(notFound('transaction'));
}
