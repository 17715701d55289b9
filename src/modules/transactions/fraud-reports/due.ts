import type { App } from '../../../app.ts';
import { transactionIdOf, type FeedEvent } from '../../events/index.ts';
import { findAskedChecks, type StoredAntiFraudService } from '../../payment-services/index.ts';
import { readTransactions } from '../rows/read.sql.ts';
import { happeningOf, type DueReport } from './report-of.ts';

/** An older event is reported no more. The third party would take the state for the present one. */
const AGE_MAX_MS = 7 * 24 * 3_600_000;

/** Returns the reports that the third party has still to get, in their order. Logs how many events are too old. */
export async function dueIn(
  app: App,
  service: StoredAntiFraudService,
  events: readonly FeedEvent[],
): Promise<readonly DueReport[]> {
  const since = app.clock.now().getTime() - AGE_MAX_MS;
  const all = await reportsIn(app, service, events);
  const due = all.filter(({ event }) => event.createdAt.getTime() >= since);
  if (due.length < all.length) {
    const { merchantAccountId, id: antiFraudServiceId } = service;
    app.log.warn(
      { merchantAccountId, antiFraudServiceId, event: all[0]?.event.id, count: all.length - due.length },
      'Events are too old for their reports to an anti-fraud service.',
    );
  }
  return due;
}

/** Returns the reports of those events whose payments the third party was asked about. */
async function reportsIn(
  app: App,
  service: StoredAntiFraudService,
  events: readonly FeedEvent[],
): Promise<readonly DueReport[]> {
  const about = events.flatMap((event) => {
    const happening = happeningOf(event);
    const transactionId = happening && paymentOf(app, event);
    return happening && transactionId ? [{ event, happening, transactionId }] : [];
  });
  if (about.length === 0) return [];
  const { merchantAccountId, id: antiFraudServiceId } = service;
  const transactionIds = [...new Set(about.map(({ transactionId }) => transactionId))];
  const checks = await findAskedChecks(app.db, { merchantAccountId, antiFraudServiceId, transactionIds });
  if (checks.length === 0) return [];
  const references = new Map(checks.map(({ transactionId, reference }) => [transactionId, reference]));
  const found = await readTransactions(app.db, merchantAccountId, [...references.keys()]);
  const checked = new Map(found.map((each) => [each.id, each]));
  return about.flatMap(({ event, happening, transactionId }) => {
    const transaction = checked.get(transactionId);
    const reference = references.get(transactionId) ?? null;
    return transaction ? [{ event, happening, transaction, reference }] : [];
  });
}

/** Returns the payment of an event. An event that cannot be read has none, so that the later reports go on. */
function paymentOf({ log }: App, event: FeedEvent): string | null {
  try {
    return transactionIdOf(event);
  } catch (error) {
    const { merchantAccountId, id } = event;
    log.error({ merchantAccountId, event: id, err: error }, 'An event could not be read for its report.');
    return null;
  }
}
