import type { Db } from '../db.ts';
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

/**
 * Plans a statement for any values, and returns the lines of the plan. The statement does not run, so a plan has names of ours,
 * constants of the statement and estimates. Plans one statement at a time on a connection.
 *
 * Before version 16, the connection keeps generic plans from then on. The plan then lacks the partitions that no value needs.
 */
export async function readPlan(
  client: Pick<Db, 'query'>,
  { text }: Pick<PreparedText, 'text'>,
  version: number,
): Promise<readonly string[]> {
  const run = (command: string) =>
    client.query<{ readonly 'QUERY PLAN': string }>({ name: null, text: command, values: [] });
  const explained = async (command: string) =>
    (await run(`EXPLAIN ${command}`)).map((line) => line['QUERY PLAN']);
  if (version >= GENERIC_SINCE) return await explained(`(GENERIC_PLAN) ${text}`);
  await run('SET plan_cache_mode = force_generic_plan');
  await run(`PREPARE paygraph_plan AS ${text}`);
  try {
    return await explained(`EXECUTE paygraph_plan${valuesFor(text)}`);
  } finally {
    await run('DEALLOCATE paygraph_plan');
  }
}

/** Returns a list of NULL for the parameters of a text. */
function valuesFor(text: string): string {
  const numbers = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number));
  const count = Math.max(0, ...numbers);
  return count === 0 ? '' : ` (${Array(count).fill('NULL').join(', ')})`;
}
