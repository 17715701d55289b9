import { isLockTimeout, sqlState, type Db } from '../db.ts';
import { prepare, type PreparedText } from '../statement.ts';

/** The first version of Postgres that plans a statement for any values by itself. */
const GENERIC_SINCE = 160_000;

const serverVersion = prepare(
  'server_version',
  `SELECT current_setting('server_version_num')::int AS version`,
);

/** Reads the version of Postgres as a number, such as 180004. */
export async function readVersion(client: Pick<Db, 'query'>): Promise<number> {
  const [row] = await client.query<{ readonly version: number }>(serverVersion({}));
  return row?.version ?? 0;
}

/** The longest time of a plan in milliseconds. A plan takes a few. */
const PLAN_MS = 5_000;

/** The longest wait of a plan for a locked table, in milliseconds. Later statements of others wait behind it. */
const LOCK_MS = 1_000;

/** Limits the times of the connection's plans. */
export async function limitPlans(client: Pick<Db, 'query'>): Promise<void> {
  await run(client, `SET statement_timeout = ${PLAN_MS}`);
  await run(client, `SET lock_timeout = ${LOCK_MS}`);
}

/** True if a plan took too long, or if the connection is lost. */
export const isPlanTimeout = (error: unknown): boolean =>
  isLockTimeout(error) || ['57014', null].includes(sqlState(error));

/**
 * Plans a statement for any values, and returns the lines of the plan. The statement does not run, so a plan has names of ours,
 * constants of the statement and estimates. Plans one statement at a time on a connection.
 *
 * Before version 16, the connection keeps generic plans from then on. The plan then lacks the partitions that no value needs.
 * The connection also loses its prepared statements, so read the version first.
 */
export async function readPlan(
  client: Pick<Db, 'query'>,
  { text }: Pick<PreparedText, 'text'>,
  version: number,
): Promise<readonly string[]> {
  const explained = async (command: string) =>
    (await run(client, `EXPLAIN ${command}`)).map((line) => line['QUERY PLAN']);
  if (version >= GENERIC_SINCE) return await explained(`(GENERIC_PLAN) ${text}`);
  await run(client, 'SET plan_cache_mode = force_generic_plan');
  // A statement whose plan failed is still prepared.
  await run(client, 'DEALLOCATE ALL');
  await run(client, `PREPARE paygraph_plan AS ${text}`);
  return await explained(`EXECUTE paygraph_plan${valuesFor(text)}`);
}

const run = (client: Pick<Db, 'query'>, command: string) =>
  client.query<{ readonly 'QUERY PLAN': string }>({ name: null, text: command, values: [] });

/** Returns a list of NULL for the parameters of a text. */
function valuesFor(text: string): string {
  const numbers = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number));
  const count = Math.max(0, ...numbers);
  return count === 0 ? '' : ` (${Array(count).fill('NULL').join(', ')})`;
}
