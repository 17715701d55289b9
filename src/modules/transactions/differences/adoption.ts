import type { App } from '../../../app.ts';
import type { Money } from '../../../kernel/money.ts';
import { givenOf, reportedId, unitAt } from '../elsewhere/book.ts';
import { decideElsewhere } from '../elsewhere/rules.ts';
import { readReported } from '../elsewhere/subject.sql.ts';
import type { MadeElsewhere } from '../elsewhere/made-elsewhere.ts';
import { readTransactions } from '../rows/read.sql.ts';
import { capturable, refundable, type Transaction } from '../model/transaction.ts';
import { fromStored, isAdoptable, isBooked, type Difference } from './difference.ts';

/** The effect of an adoption on the payment. The amounts are in minor units of the payment's currency. */
export type Adoption = {
  /** The money of the new operation, 0 for a void without a rest. Null if the adoption books nothing. */
  readonly booked: Money | null;
  /** The amount that can be captured after the adoption. */
  readonly capturable: Money;
  /** The amount that can be refunded after the adoption. */
  readonly refundable: Money;
};

/**
 * Tells the effect of an adoption at this moment, by the rules of the adoption itself. Null if the adoption would be refused. Reads
 * the payment as it is now, and writes nothing. A payment that changes meanwhile changes the effect.
 */
export async function previewAdoption(app: App, difference: Difference): Promise<Adoption | null> {
  const { made, merchantAccountId, transactionId } = difference;
  if (!isAdoptable(difference)) return null;
  if (made !== null && !isBooked(difference)) return previewBooking(app, difference, fromStored(made));
  const [transaction] = await readTransactions(app.db, merchantAccountId, [transactionId]);
  return transaction ? effectOf(null, transaction) : null;
}

async function previewBooking(
  app: App,
  difference: Difference,
  made: MadeElsewhere,
): Promise<Adoption | null> {
  const payment = await readReported(app.db, reportedId(difference, made, difference.id));
  if (!payment) return null;
  const { transaction } = payment;
  if (payment.isBooked) return effectOf(null, transaction);
  const verdict = decideElsewhere(payment, made, {
    ...givenOf(app, true, difference.id),
    mayBeOurs: payment.isOurs,
    unit: unitAt(app, payment),
  });
  if (verdict.kind === 'waits') return null;
  if (verdict.kind === 'none') return verdict.finding === null ? effectOf(null, transaction) : null;
  const { operation, transaction: patch } = verdict.changes;
  const { currency } = transaction;
  return effectOf({ amount: operation.amount, currency }, { ...transaction, ...patch });
}

const effectOf = (booked: Money | null, after: Transaction): Adoption => ({
  booked,
  capturable: capturable(after),
  refundable: refundable(after),
});
