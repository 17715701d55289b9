import type { App } from '../../../app.ts';
import { countingBy, type CountedRows } from '../../../platform/database/counted-rows.ts';
import type { Db } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import { reportingDefinitions } from '../../payment-services/index.ts';

/** The place in a feed up to which an anti-fraud service has the reports, as this process has claimed it. */
export type Place = {
  readonly merchantAccountId: string;
  readonly antiFraudServiceId: string;
  readonly sequence: bigint;
  /** The number of consecutive failures of the next report. */
  readonly attempts: number;
  /** The next attempt. During an attempt, the end of its lease. */
  readonly nextAttemptAt: Date;
};

/** A place as the claim answers it. */
export type ClaimedPlace = Place & {
  /** The number of events that the retention has removed before the place. */
  readonly missed: number;
};

const claim = prepareFile(import.meta, 'claim-fraud-reports.sql');

type Claim = {
  readonly now: Date;
  readonly leaseUntil: Date;
  /** The ids of the definitions whose connectors take reports. */
  readonly definitions: readonly string[];
  readonly limit: number;
};

/** Claims places that are due and have events before them, of every merchant account. */
export async function claimPlaces(db: Db, given: Claim): Promise<readonly ClaimedPlace[]> {
  const rows = await db.query<Omit<Place, 'sequence'> & Record<'sequence' | 'missed', string>>(claim(given));
  return rows.map((row) => ({ ...row, sequence: BigInt(row.sequence), missed: Number(row.missed) }));
}

const keep = prepareFile(import.meta, 'keep-fraud-report.sql');

/** Writes a place. Returns the place as held from now on, or null if another process has claimed it. */
export async function keepPlace(
  db: Db,
  { merchantAccountId, antiFraudServiceId, nextAttemptAt: held }: Place,
  kept: Pick<Place, 'sequence' | 'attempts' | 'nextAttemptAt'>,
): Promise<Place | null> {
  const { sequence, attempts, nextAttemptAt } = kept;
  const service = { account: merchantAccountId, service: antiFraudServiceId };
  const rows = await db.query(keep({ ...service, held, sequence, attempts, nextAttemptAt }));
  return rows.length > 0
    ? { merchantAccountId, antiFraudServiceId, sequence, attempts, nextAttemptAt }
    : null;
}

const counting = prepareFile(import.meta, 'count-fraud-reports.sql');

/** Counts the anti-fraud services that wait for reports, by state. */
export function countFraudReports(
  app: Pick<App, 'readDb' | 'antiFraudConnectors' | 'config'>,
): Promise<readonly CountedRows[]> {
  const definitions = reportingDefinitions(app);
  return countingBy(({ limit }) => counting({ limit, definitions }))(app.readDb);
}
