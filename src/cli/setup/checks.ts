import { connectOnce } from '../../platform/postgres/connect.ts';
import { OperatorError } from '../../platform/operator-error.ts';

/** The result of the checks of a database. */
export type CheckedDatabase = {
  /** The version of Postgres, for example `18.4`. */
  readonly version: string;
  /** The difference between the clocks of the database and of this machine. */
  readonly clockDifferenceMs: number;
};

/** Tokens, leases and deadlines compare moments of this machine with moments of the database. */
const CLOCK_DIFFERENCE_MAX_MS = 5_000;

/**
 * Connects once, reads the version and the clock, and changes nothing. Throws an OperatorError when the database is
 * unreachable or read-only, or when the clocks differ by more than 5 s.
 */
export async function checkDatabase(url: string): Promise<CheckedDatabase> {
  const client = await connectOnce(url);
  try {
    const before = Date.now();
    const { rows } = await client.query<{ version: string; now: Date; readOnly: boolean }>(`
      SELECT current_setting('server_version') AS version, clock_timestamp() AS now,
        pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean AS "readOnly"`);
    const [row] = rows;
    if (!row) throw new Error('The database returned no row.');
    if (row.readOnly)
      throw new OperatorError('The database only allows reads. Name the primary server in DATABASE_URL.');
    const clockDifferenceMs = differenceOf(row.now.getTime(), before, Date.now());
    if (clockDifferenceMs > CLOCK_DIFFERENCE_MAX_MS)
      throw new OperatorError(
        `The clock of the database differs by ${Math.round(clockDifferenceMs / 1_000)} s from the clock of this machine. ` +
          'Set both clocks by NTP. They may differ by 5 s.',
      );
    return { version: row.version.split(' ')[0] ?? row.version, clockDifferenceMs };
  } finally {
    await client.end();
  }
}

/** Returns the distance of a moment from the time of a request. A moment during the request has no distance. */
const differenceOf = (moment: number, before: number, after: number): number =>
  Math.max(0, before - moment, moment - after);
