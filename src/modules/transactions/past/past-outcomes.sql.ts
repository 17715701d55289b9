import type { Db } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import type { PastOutcomes } from '../../routing/index.ts';

/** The most payments that are read, the latest ones. They take a second or two, and more would prove no more. */
const PAYMENTS_MAX = 50_000;

const HOUR_MS = 3_600_000;

const statement = prepareFile(import.meta, 'past-outcomes.sql');

type Asked = {
  readonly account: string;
  /** The moment up to which payments and their outcomes count. */
  readonly at: Date;
  /** The periods before that moment, in hours. Each outcome has the shortest one that holds it. */
  readonly periods: readonly number[];
};

/** Counts the first attempts of a merchant account's payments by service and by the values that rules see. */
export async function readPastOutcomes(
  db: Pick<Db, 'query'>,
  { account, at, periods }: Asked,
): Promise<readonly PastOutcomes[]> {
  if (periods.length === 0) return [];
  const fromAt = new Date(at.getTime() - Math.max(...periods) * HOUR_MS);
  return db.query<PastOutcomes>(statement({ account, fromAt, toAt: at, periods, limit: PAYMENTS_MAX }));
}
