import type { App } from '../../app.ts';
import {
  countBacklog,
  countRunningReplays,
  oldestWaitingEvent,
  outletBacklogs,
} from '../../modules/events/index.ts';
import { countUnfinishedExports } from '../../modules/exports/index.ts';
import { countUnfinishedSimulations } from '../../modules/routing-simulations/index.ts';
import { countOpenCircuits } from '../../modules/payment-services/index.ts';
import {
  countFraudReports,
  countOpenApprovals,
  countOpenDifferences,
  countUnknownOutcomes,
  countWaitingWebhooks,
  readHold,
} from '../../modules/transactions/index.ts';
import { clockOffsetMs } from '../../platform/database/health.ts';
import { describeError } from '../../platform/describe-error.ts';

/** Reads the figures of the database for a scrape. Null if the database did not tell them in time. */
export type ReadFigures = () => Promise<Figures | null>;

export type Figures = Awaited<ReturnType<typeof readFigures>>;

/** Figures of this age are shown again, however many programs read the metrics. */
const REUSE_MS = 3_000;

/** A scrape waits at most this long, so that a hanging database does not hide the metrics of the process. */
const DEADLINE_MS = 2_500;

/** Reads at most once in three seconds, on the connections for queries. Their statements have a time limit. */
export function createFigures(app: App, reuseMs = REUSE_MS): ReadFigures {
  let latest: { readonly sinceMs: number; readonly figures: Promise<Figures | null> } | undefined;
  return () => {
    const nowMs = performance.now();
    if (!latest || nowMs - latest.sinceMs > reuseMs) {
      latest = { sinceMs: nowMs, figures: inTime(app, readFigures(app)) };
    }
    return latest.figures;
  };
}

type FiguresApp = Pick<App, 'readDb' | 'clock' | 'config' | 'antiFraudConnectors'>;

/** Reads the counts and ages of everything that waits in the database. */
export async function readFigures({ readDb, clock, config, antiFraudConnectors }: FiguresApp) {
  const [
    unknown,
    differences,
    hold,
    webhooks,
    backlog,
    approvals,
    exports,
    simulations,
    replays,
    fraudReports,
    oldestEvent,
    outlets,
    circuits,
    offsetMs,
  ] = await Promise.all([
    countUnknownOutcomes(readDb),
    countOpenDifferences(readDb),
    readHold(readDb),
    countWaitingWebhooks(readDb),
    countBacklog(readDb),
    countOpenApprovals(readDb),
    countUnfinishedExports(readDb),
    countUnfinishedSimulations(readDb),
    countRunningReplays(readDb),
    countFraudReports({ readDb, config, antiFraudConnectors }),
    oldestWaitingEvent({ db: readDb }),
    outletBacklogs({ db: readDb, config }),
    countOpenCircuits({ readDb, config }),
    clockOffsetMs(clock, readDb),
  ]);
  const jobs = {
    ...{ refund_approval: approvals, export: exports, routing_simulation: simulations },
    ...{ replay: replays, fraud_report: fraudReports },
  };
  const inDatabase = { unknown, differences, hold, webhooks, backlog, jobs, oldestEvent, outlets };
  return { ...inDatabase, circuits, offsetMs };
}

async function inTime(app: App, reading: Promise<Figures>): Promise<Figures | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => void (timer = setTimeout(resolve, DEADLINE_MS, null)));
  try {
    return await Promise.race([reading, late]);
  } catch (error) {
    app.log.warn({ error: describeError(error) }, 'The metrics lack the figures of the database.');
    return null;
  } finally {
    clearTimeout(timer);
  }
}
