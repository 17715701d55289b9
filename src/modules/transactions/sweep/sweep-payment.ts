import type { App } from '../../../app.ts';
import { callBooks } from '../../../connectors/calls/call-books.ts';
import type { Connector } from '../../../connectors/interface/connector.ts';
import type { UnknownCause } from '../../../connectors/interface/outcome.ts';
import type { ProviderBooks } from '../../../connectors/notices/books.ts';
import { findConnectionRows, openCall } from '../../payment-services/index.ts';
import { openDifference, type Found } from '../differences/open.ts';
import { resolveDifferences } from '../differences/differences.sql.ts';
import { stillStands, type Hold } from '../hold/hold.ts';
import type { Operation } from '../model/operation.ts';
import { storeNotice } from '../notices/store-notice.ts';
import { compareBooks } from './compare.ts';
import { isLostCapture, withoutLostKey } from './lost.ts';
import type { SweptPayment } from './store/sweeps.sql.ts';

/** The time in which an operation appears in the books of its provider. */
const APPEARS_MS = 3_600_000;

/** The result of a look. `untold`: the provider knows nothing of the payment. `silent`: the provider gave no answer. */
export type Look =
  | { readonly kind: 'compared' | 'untold' }
  | { readonly kind: 'silent'; readonly cause: UnknownCause };

/**
 * Compares one payment with the books of its provider.
 *
 * - An operation that is not recorded here is stored like a webhook of the provider, which the usual loop applies. Each is stored
 *   once, by its id and state at the provider.
 * - An operation that the provider does not know becomes a difference.
 * - Differences about a payment end when both sides agree.
 * - `hold`: the hold after a restore under which `payment` was read. An operation with an unknown key of ours is then one that the
 *   restore lost. After the end of the hold, such an operation may be a new request.
 *
 * Asks the provider outside of any database transaction. Commits once for each finding. A crash leaves the rest to the next look.
 */
export async function sweepPayment(
  app: App,
  paymentServiceId: string,
  payment: SweptPayment,
  { hold = null }: { readonly hold?: Hold | null } = {},
): Promise<Look> {
  const { merchantAccountId, paymentServiceTransactionId: reference } = payment.transaction;
  const { createdAt, currency, id: transactionId } = payment.transaction;
  const [row] = await findConnectionRows(app, merchantAccountId, [paymentServiceId]);
  if (!row || reference === null) return { kind: 'untold' };
  const { connector, context } = await openCall(app, merchantAccountId, row);
  const books = await callBooks(connector, context, app.log, { reference, createdAt, currency });
  if (books?.kind === 'unknown') return { kind: 'silent', cause: books.cause };
  // The provider may have forgotten an old payment, which proves nothing.
  if (books === null) return { kind: 'untold' };
  // The answer is here, so it shows no request that begins after this read of the hold.
  const isHeld = hold !== null && (await stillStands(app.db, hold));
  await record(app, { paymentServiceId, payment, books, connector, isHeld });
  app.log.debug({ merchantAccountId, transactionId }, 'A payment was compared with its provider.');
  return { kind: 'compared' };
}

type Read = {
  readonly paymentServiceId: string;
  readonly payment: SweptPayment;
  readonly books: ProviderBooks;
  readonly connector: Pick<Connector, 'namesCaptures'>;
  readonly isHeld: boolean;
};

async function record(
  app: App,
  { paymentServiceId, payment, books, connector, isHeld }: Read,
): Promise<void> {
  const { merchantAccountId, id: transactionId } = payment.transaction;
  const now = app.clock.now();
  const restored = { payment, connector, notices: books.notices };
  const { unknown, missing } = compareBooks(payment, books, {
    settledBefore: new Date(now.getTime() - APPEARS_MS),
    isLost: (told) => isHeld && isLostCapture(restored, told),
  });
  for (const told of unknown) {
    const notice = isHeld ? withoutLostKey(restored, told) : told;
    await storeNotice(app, { merchantAccountId, paymentServiceId, notice, receivedAt: now }, now);
  }
  for (const operation of missing) await openDifference(app, missingOf(operation));
  if (unknown.length + missing.length === 0)
    await resolveDifferences(app.db, { merchantAccountId, transactionId, paymentServiceId, now });
}

const missingOf = (operation: Operation): Found => {
  const { merchantAccountId, transactionId, paymentServiceId, id, kind, providerReference } = operation;
  return {
    ...{ merchantAccountId, transactionId, paymentServiceId, operationId: id, kind },
    finding: 'missing_at_provider',
    source: 'look_up',
    subject: providerReference ?? id,
    ...{ reported: null, made: null },
  };
};
