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
import type { StoredWebhook } from '../notices/webhook.ts';
import { compareBooks } from './compare.ts';
import { isLostCapture, withoutLostKey } from './lost.ts';
import type { SweptPayment } from './store/sweeps.sql.ts';

/** The time in which an operation appears in the books of its provider. */
const APPEARS_MS = 3_600_000;

/** The result of a look. `untold`: the provider tells nothing of the payment. `silent`: the provider gave no answer. */
export type Look =
  /** `told`: the operations and disputes that were new, and are stored. */
  | { readonly kind: 'compared'; readonly told: readonly StoredWebhook[] }
  | { readonly kind: 'untold' }
  | { readonly kind: 'silent'; readonly cause: UnknownCause };

type Looking = {
  readonly hold?: Hold | null;
  readonly ownsMs?: number;
  readonly reference?: string | null;
};

/**
 * Compares one payment with the books of its provider.
 *
 * - An operation that is not recorded here is stored like a webhook of the provider, which the usual loop applies. Each is stored
 *   once, by its id and state at the provider.
 * - An operation that the provider does not know becomes a difference.
 * - Differences about a payment end when both sides agree.
 * - A dispute is stored like a webhook, once in each state.
 * - `hold`: the hold after a restore under which `payment` was read. An operation with an unknown key of ours is then one that the
 *   restore lost. After the end of the hold, such an operation may be a new request.
 * - `ownsMs`: the time for which the caller applies the stored operations itself, before the loop does. The caller
 *   then has a webhook about the payment, and the outcomes of operations under way are stored, too. 0 by default.
 * - `reference`: the provider's id of the payment. An earlier attempt has an id of its own.
 *
 * Asks the provider outside of any database transaction. Commits once for each finding. A crash leaves the rest to the next look.
 */
export async function sweepPayment(
  app: App,
  paymentServiceId: string,
  payment: SweptPayment,
  { hold = null, ownsMs = 0, reference = payment.transaction.paymentServiceTransactionId }: Looking = {},
): Promise<Look> {
  const { merchantAccountId, createdAt, currency, id: transactionId } = payment.transaction;
  const [row] = await findConnectionRows(app, merchantAccountId, [paymentServiceId]);
  if (!row || reference === null) return { kind: 'untold' };
  const { connector, context } = await openCall(app, merchantAccountId, row);
  if (!connector.readBooks) return { kind: 'untold' };
  const books = await callBooks(connector, context, app.log, { reference, createdAt, currency });
  if (books?.kind === 'unknown') return { kind: 'silent', cause: books.cause };
  // The provider may have forgotten an old payment, which proves nothing.
  if (books === null) return { kind: 'untold' };
  // The answer is here, so it shows no request that begins after this read of the hold.
  const isHeld = hold !== null && (await stillStands(app.db, hold));
  const told = await record(app, { paymentServiceId, payment, books, connector, isHeld, ownsMs });
  app.log.debug({ merchantAccountId, transactionId }, 'A payment was compared with its provider.');
  return { kind: 'compared', told };
}

type Read = {
  readonly paymentServiceId: string;
  readonly payment: SweptPayment;
  readonly books: ProviderBooks;
  readonly connector: Pick<Connector, 'namesCaptures'>;
  readonly isHeld: boolean;
  readonly ownsMs: number;
};

async function record(
  app: App,
  { paymentServiceId, payment, books, connector, isHeld, ownsMs }: Read,
): Promise<readonly StoredWebhook[]> {
  const { merchantAccountId, id: transactionId } = payment.transaction;
  const now = app.clock.now();
  const restored = { payment, connector, notices: books.notices };
  const { unknown, missing } = compareBooks(payment, books, {
    settledBefore: new Date(now.getTime() - APPEARS_MS),
    isLost: (told) => isHeld && isLostCapture(restored, told),
    isReported: ownsMs > 0,
  });
  const stored: StoredWebhook[] = [];
  const operations = isHeld ? unknown.map((told) => withoutLostKey(restored, told)) : unknown;
  for (const notice of [...operations, ...(books.disputes ?? [])]) {
    const given = { merchantAccountId, paymentServiceId, notice, receivedAt: now };
    const webhook = await storeNotice(app, given, new Date(now.getTime() + ownsMs));
    if (webhook) stored.push(webhook);
  }
  for (const operation of missing) await openDifference(app, missingOf(operation));
  if (unknown.length + missing.length === 0)
    await resolveDifferences(app.db, { merchantAccountId, transactionId, paymentServiceId, now });
  return stored;
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
