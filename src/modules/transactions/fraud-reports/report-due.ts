import type { App } from '../../../app.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { readLanes, transactionIdOf, type FeedEvent } from '../../events/index.ts';
import {
  findStoredAntiFraudService,
  leaseOf,
  reportFraud,
  reportingDefinitions,
  type FraudReport,
  type StoredAntiFraudService,
} from '../../payment-services/index.ts';
import { readTransactions } from '../rows/read.sql.ts';
import { claimPlaces, keepPlace, type Place } from './fraud-reports.sql.ts';
import { happeningOf, reportOf } from './report-of.ts';

/** The first pause after a failure, and the longest one. Each pause is twice as long as the one before. */
const PAUSE_MIN_MS = 5_000;
const PAUSE_MAX_MS = 600_000;

/** An older event is reported no more. The third party would take the state for the present one. */
const AGE_MAX_MS = 7 * 24 * 3_600_000;

/**
 * Claims anti-fraud services whose merchant accounts have new events, and starts their reports. Each returned work ends with its
 * service, or with its current report after the signal, and never throws. Reports of one service go in the order of the feed.
 *
 * The place of a service is written after each report. After a crash between, the next process repeats one report under its key.
 */
export async function takeDueReports(
  app: App,
  limit: number,
  signal: AbortSignal,
): Promise<readonly Promise<void>[]> {
  const definitions = reportingDefinitions(app);
  if (definitions.length === 0) return [];
  const now = app.clock.now();
  const places = await claimPlaces(app.db, { now, leaseUntil: leaseOf(app, now), definitions, limit });
  return places.map((place) => reportFrom(app, place, signal));
}

/** Reports what follows a place. A failure that is not the third party's leaves the place to its next lease. */
async function reportFrom(app: App, place: Place, signal: AbortSignal): Promise<void> {
  const { merchantAccountId, antiFraudServiceId } = place;
  try {
    const service = await findStoredAntiFraudService(app.db, merchantAccountId, antiFraudServiceId);
    if (!service) throw new Error(`The anti-fraud service ${antiFraudServiceId} is gone.`);
    await reportNext({ app, service, signal }, place);
  } catch (error) {
    app.log.error(
      { merchantAccountId, antiFraudServiceId, err: error },
      'An anti-fraud service got no reports.',
    );
  }
}

type Walk = { readonly app: App; readonly service: StoredAntiFraudService; readonly signal: AbortSignal };

/** Reports a batch of events, until a report fails or the process stops. Events without a report count as reported. */
async function reportNext({ app, service, signal }: Walk, place: Place): Promise<void> {
  const { merchantAccountId, sequence: after } = place;
  const events = await readLanes(app.db)([{ merchantAccountId, after }]);
  let held = place;
  for (const { event, report } of await reportsOf(app, service, events)) {
    if (signal.aborted) return release(app, held);
    const isTold = isTooOld(app, event) || (await tell(app, service, report));
    await failpoint('fraud-report.told');
    const kept = isTold
      ? { sequence: event.sequence, attempts: 0, nextAttemptAt: leaseOf(app, app.clock.now()) }
      : { ...held, attempts: held.attempts + 1, nextAttemptAt: afterFailures(app, held.attempts) };
    const next = await keepPlace(app.db, held, kept);
    if (!next || !isTold) return;
    held = next;
  }
  await release(app, { ...held, sequence: events.at(-1)?.sequence ?? after });
}

/** Ends the lease of a place, so that its next attempt is due. */
async function release(app: App, held: Place): Promise<void> {
  await keepPlace(app.db, held, { ...held, nextAttemptAt: app.clock.now() });
}

type Due = { readonly event: FeedEvent; readonly report: FraudReport };

/** Returns the reports of those events whose payments the service has checked, in their order. */
async function reportsOf(
  app: App,
  { merchantAccountId, id }: StoredAntiFraudService,
  events: readonly FeedEvent[],
): Promise<readonly Due[]> {
  const about = events.flatMap((event) => {
    const happening = happeningOf(event);
    if (happening === null) return [];
    const transactionId = transactionIdOf(event);
    return transactionId === null ? [] : [{ event, happening, transactionId }];
  });
  const ids = [...new Set(about.map(({ transactionId }) => transactionId))];
  const found = ids.length > 0 ? await readTransactions(app.db, merchantAccountId, ids) : [];
  const checked = new Map(
    found.flatMap((each) => (each.antiFraudServiceId === id ? [[each.id, each] as const] : [])),
  );
  return about.flatMap(({ event, happening, transactionId }) => {
    const transaction = checked.get(transactionId);
    return transaction ? [{ event, report: reportOf(event, happening, transaction) }] : [];
  });
}

/** Sends a report. False if it must be sent again. A refused report is logged, and counts as told. */
async function tell(app: App, service: StoredAntiFraudService, report: FraudReport): Promise<boolean> {
  const answer = await reportFraud(app, service, report);
  if (answer.kind === 'refused') {
    const { merchantAccountId, id: antiFraudServiceId } = service;
    const about = { merchantAccountId, antiFraudServiceId, transactionId: report.checkKey };
    app.log.warn(
      { ...about, event: report.key, reason: answer.reason },
      'An anti-fraud service refused a report.',
    );
  }
  return answer.kind !== 'unknown';
}

function isTooOld({ clock, log }: App, { merchantAccountId, id, createdAt }: FeedEvent): boolean {
  if (clock.now().getTime() - createdAt.getTime() <= AGE_MAX_MS) return false;
  log.warn({ merchantAccountId, event: id }, 'An event is too old for its report to an anti-fraud service.');
  return true;
}

const afterFailures = ({ clock }: App, earlier: number): Date =>
  new Date(clock.now().getTime() + Math.min(PAUSE_MIN_MS * 2 ** Math.min(earlier, 20), PAUSE_MAX_MS));
