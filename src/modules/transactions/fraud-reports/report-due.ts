import type { App } from '../../../app.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import type { Work } from '../../../platform/works.ts';
import { readLanes } from '../../events/index.ts';
import { findStoredAntiFraudService, leaseOf, reportingDefinitions } from '../../payment-services/index.ts';
import { dueIn } from './due.ts';
import { claimPlaces, keepPlace, type ClaimedPlace, type Place } from './fraud-reports.sql.ts';
import { sendSome, type Walk } from './send.ts';

/** The first pause after a failure, and the longest one. Each pause is twice as long as the one before. */
const PAUSE_MIN_MS = 5_000;
const PAUSE_MAX_MS = 600_000;

/**
 * Claims anti-fraud services whose merchant accounts have new events, and returns their reports as work. Each work ends with
 * its service, or with its current reports after the signal, and never throws. Reports of one payment go in the order of the
 * feed.
 *
 * The place of a service is written after each few reports. After a crash between, the next process repeats them under their
 * keys.
 */
export async function takeDueReports(app: App, limit: number, signal: AbortSignal): Promise<readonly Work[]> {
  const definitions = reportingDefinitions(app);
  if (definitions.length === 0) return [];
  const now = app.clock.now();
  const places = await claimPlaces(app.db, { now, leaseUntil: leaseOf(app, now), definitions, limit });
  return places.map((place) => () => reportFrom(app, place, signal));
}

/** Reports what follows a place. A failure that is not a report's leaves the place to its next lease. */
async function reportFrom(app: App, place: ClaimedPlace, signal: AbortSignal): Promise<void> {
  const { merchantAccountId, antiFraudServiceId, missed } = place;
  const about = { merchantAccountId, antiFraudServiceId };
  if (missed > 0)
    app.log.error({ ...about, missed }, 'The retention removed events before an anti-fraud service.');
  try {
    const service = await findStoredAntiFraudService(app.db, merchantAccountId, antiFraudServiceId);
    if (!service) throw new Error(`The anti-fraud service ${antiFraudServiceId} is gone.`);
    await reportNext({ app, service }, place, signal);
  } catch (error) {
    app.log.error({ ...about, err: error }, 'An anti-fraud service got no reports.');
  }
}

/** Reports a batch of events, until a report fails or the process stops. Events without a report count as reported. */
async function reportNext({ app, service }: Walk, place: Place, signal: AbortSignal): Promise<void> {
  const { merchantAccountId, sequence: after } = place;
  const events = await readLanes(app.db)([{ merchantAccountId, after }]);
  const end = events.at(-1)?.sequence ?? after;
  let held = place;
  let rest = await dueIn(app, service, events);
  while (rest.length > 0) {
    if (signal.aborted) return release(app, held);
    // The failures are those of the next event. Events that became too old since are left out.
    const earlier = rest[0]?.event.sequence === held.sequence + 1n ? held.attempts : 0;
    const { left, failures } = await sendSome({ app, service }, rest, earlier);
    await failpoint('fraud-report.told');
    const sequence = left[0] ? left[0].event.sequence - 1n : end;
    const next = await keepPlace(app.db, held, { sequence, ...whenNext(app, failures) });
    if (!next || failures > 0) return;
    held = next;
    rest = left;
  }
  await release(app, { ...held, sequence: end, attempts: 0 });
}

/** Ends the lease of a place, so that its next attempt is due. */
async function release(app: App, held: Place): Promise<void> {
  await keepPlace(app.db, held, { ...held, nextAttemptAt: app.clock.now() });
}

/** Returns the time of the next attempt. Without a failure, the end of the lease. */
function whenNext(app: App, failures: number): Pick<Place, 'attempts' | 'nextAttemptAt'> {
  const now = app.clock.now();
  if (failures === 0) return { attempts: 0, nextAttemptAt: leaseOf(app, now) };
  const pauseMs = Math.min(PAUSE_MIN_MS * 2 ** Math.min(failures - 1, 20), PAUSE_MAX_MS);
  return { attempts: failures, nextAttemptAt: new Date(now.getTime() + pauseMs) };
}
