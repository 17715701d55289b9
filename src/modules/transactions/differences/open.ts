import type { App } from '../../../app.ts';
import { AMOUNT_MAX, type Money } from '../../../kernel/money.ts';
import type { MadeElsewhere } from '../elsewhere/made-elsewhere.ts';
import { toStored, type Difference } from './difference.ts';
import { insertDifference } from './differences.sql.ts';

/** A difference as it is found. */
export type Found = Pick<
  Difference,
  | 'merchantAccountId'
  | 'transactionId'
  | 'paymentServiceId'
  | 'finding'
  | 'source'
  | 'subject'
  | 'operationId'
> &
  Pick<Difference, 'kind'> & {
    /** The reported money. It is not kept above the greatest amount that can be recorded. Null if not told. */
    readonly reported: Money | null;
    /** Null if an adoption can book nothing. */
    readonly made: MadeElsewhere | null;
  };

/**
 * Lists a difference for people. Commits once. The same finding about the same subject is listed once. So a repeat after a crash
 * is harmless, and a dismissed difference does not come back.
 */
export function openDifference(app: App, { made, reported, ...found }: Found): Promise<void> {
  const money = reported !== null && reported.amount <= AMOUNT_MAX ? reported : null;
  return insertDifference(app.db, {
    ...found,
    reportedAmount: money?.amount ?? null,
    reportedCurrency: money?.currency ?? null,
    id: app.ids.uuid(),
    made: made && toStored(made),
    state: 'open',
    reason: null,
    foundAt: app.clock.now(),
    endedAt: null,
  });
}
