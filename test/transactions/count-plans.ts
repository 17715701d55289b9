import { openDb, type Db } from '../../src/platform/database/db.ts';
import { READS } from './planned-reads.ts';

// A program that runs each read several times on a connection for reads, and prints the plans of each. A process gives only some
// texts of statements a name, so the reads need a process of their own.

const [url = ''] = process.argv.slice(2);
const RUNS = 12;

/** The number of plans for the values, and of runs with the plan for all values. */
type Plans = { readonly name: string; readonly own: number; readonly shared: number };

/** Returns the plans of each named statement of the connection so far. */
const plansSoFar = (db: Db): Promise<readonly Plans[]> =>
  db.query<Plans>({
    name: null,
    text: 'SELECT name, custom_plans::int AS own, generic_plans::int AS shared FROM pg_prepared_statements',
    values: [],
  });

/** Returns the plans of the statements that a read ran. */
async function plansOf(db: Db, read: (db: Db) => Promise<unknown>): Promise<readonly Plans[]> {
  const before = new Map((await plansSoFar(db)).map((plans) => [plans.name, plans]));
  for (let run = 0; run < RUNS; run += 1) await read(db);
  return (await plansSoFar(db))
    .map(({ name, own, shared }) => {
      const earlier = before.get(name) ?? { own: 0, shared: 0 };
      return { name, own: own - earlier.own, shared: shared - earlier.shared };
    })
    .filter(({ own, shared }) => own + shared > 0);
}

const db = openDb({ url, connectionMax: 1, applicationName: 'test', readTimeoutMs: 60_000 });
await db.query({ name: null, text: 'SET plan_cache_mode = auto', values: [] });
const counted: Record<string, readonly Plans[]> = {};
for (const [what, read] of Object.entries(READS)) counted[what] = await plansOf(db, read);
await db.close();
process.stdout.write(JSON.stringify(counted));
