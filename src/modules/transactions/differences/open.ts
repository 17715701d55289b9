import type { App } from '../../../app.ts';
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
  Pick<Difference, 'kind' | 'reportedAmount' | 'reportedCurrency'> & {
    /** Null if an adoption can book nothing. */
    readonly made: MadeElsewhere | null;
  };

/**
 * Lists a difference for people. Commits once. The same finding about the same subject is listed once. So a repeat after a crash
 * is harmless, and a dismissed difference does not come back.
 */
export const openDifference = (app: App, { made, ...found }: Found): Promise<void> =>
  insertDifference(app.db, {
    ...found,
    id: app.ids.uuid(),
    made: made && toStored(made),
    state: 'open',
    reason: null,
    foundAt: app.clock.now(),
    endedAt: null,
  });
