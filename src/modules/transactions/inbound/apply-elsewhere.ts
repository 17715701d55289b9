import type { App } from '../../../app.ts';
import { recoveryOf } from '../../../connectors/interface/connector.ts';
import { connectionOf, findConnectionRows } from '../../payment-services/index.ts';
import { bookElsewhere, type BookResult } from '../elsewhere/book.ts';
import type { ElsewhereKind, MadeElsewhere } from '../elsewhere/made-elsewhere.ts';
import { makeOperationsDue } from '../claim/leases.sql.ts';
import type { Operated, OperationKind } from '../model/operation.ts';
import type { Transaction } from '../model/transaction.ts';
import { isEarly, isOver } from '../notices/schedule.ts';
import type { InboundWebhook } from '../notices/webhook.ts';
import { awaitMatch } from '../inbound-end/await-match.ts';
import { sourceOf } from '../inbound-end/difference.ts';
import { end } from '../inbound-end/end.ts';
import { madeElsewhere } from '../inbound-end/read-made-elsewhere.ts';

/**
 * Tells whether an outcome without our key is of our operation, whose id at the provider is not known.
 *
 * - An operation without an outcome is taken for ours only if its provider cannot be asked. Any other provider tells the id
 *   first, or has had an hour to tell the id of a refused one.
 * - An operation that succeeded is ours.
 */
export async function isOurs(
  app: App,
  { merchantAccountId, paymentServiceId, notice, waitsSince }: InboundWebhook,
  { operation }: Operated,
): Promise<boolean> {
  if (operation.status !== 'pending') return true;
  if (notice.outcome.kind !== 'succeeded' && !isEarly(app.clock.now(), waitsSince)) return true;
  const [row] = await findConnectionRows(app, merchantAccountId, [paymentServiceId]);
  if (!row) return true;
  const { connector } = await connectionOf(app, merchantAccountId, row);
  return recoveryOf(connector, notice.verb).kind === 'none';
}

/**
 * Books an operation that was made elsewhere, and ends the webhook. Commits the booking, then the end of the webhook. After a
 * crash between, the next run finds the booking and ends the webhook. The webhook waits
 * while an operation under way may be the same one. The provider is asked about such an operation at once.
 */
export async function applyElsewhere(
  app: App,
  webhook: InboundWebhook,
  transaction: Transaction,
): Promise<void> {
  const now = app.clock.now();
  const { merchantAccountId, paymentServiceId, waitsSince, notice } = webhook;
  const made = madeElsewhere(notice);
  const about = { merchantAccountId, paymentServiceId, transactionId: transaction.id };
  const told = { isLate: !isEarly(now, waitsSince), source: sourceOf(notice.eventKey) };
  const booked = await bookElsewhere(app, about, { made, ...told });
  const result = isRestReleased(booked, made)
    ? await bookElsewhere(app, about, { made: restOf(made), ...told })
    : booked;
  if (result.kind === 'decided') return end(app, webhook, result);
  if (isOver(now, waitsSince))
    return end(app, webhook, { transaction: result.transaction, finding: 'undecided', isOver: true });
  for (const kind of DECIDES_FIRST[made.kind]) await makeOperationsDue(app.db, result.transaction, kind, now);
  return awaitMatch(app, webhook, now);
}

/**
 * True for the last capture of a payment, if an earlier report had no word about the rest. The capture is booked, and the
 * provider has released the rest. Without a rest, nothing was released.
 */
function isRestReleased(result: BookResult, { kind, final }: MadeElsewhere): boolean {
  const isLast = kind === 'capture' && final === true;
  if (!isLast || result.kind !== 'decided' || result.changed || result.finding !== null) return false;
  const { authorizedAmount, capturedAmount, captureClosed } = result.transaction;
  return !captureClosed && capturedAmount > 0 && capturedAmount < authorizedAmount;
}

const restOf = (made: MadeElsewhere): MadeElsewhere => ({
  ...{ ...made, kind: 'void', reference: null, money: null, total: null },
});

/** The operations whose outcome may decide about one that was made elsewhere. A capture includes the authorisation. */
const DECIDES_FIRST: Readonly<Record<ElsewhereKind, readonly OperationKind[]>> = {
  authorize: ['authorize'],
  capture: ['capture', 'void', 'increase'],
  refund: ['refund', 'capture'],
  void: ['void', 'cancel', 'capture', 'increase'],
  increase: ['increase', 'void', 'capture'],
};
