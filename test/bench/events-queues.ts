import { query } from '../support/database.ts';
import { nowMs, startChild, type Child } from './child.ts';
import { whenNone } from './events-log.ts';
import type { Posting } from './post.ts';
import type { Received } from './webhook-receiver.ts';

/** A job queue, by the name of its package. Its process creates the table in a schema of its own. */
type Queue = { readonly file: string; readonly table: string; readonly unfinished: string };

const QUEUES = {
  'graphile-worker': {
    file: 'graphile-poster.ts',
    table: 'graphile_worker._private_jobs',
    // A completed job is deleted.
    unfinished: 'true',
  },
  'pg-boss': { file: 'boss-poster.ts', table: 'pgboss.job', unfinished: `state < 'completed'` },
} as const satisfies Readonly<Record<string, Queue>>;

export type QueuesSettings = {
  readonly receiver: Child;
  readonly databaseUrl: string;
  /** The requests of each of the two processes. */
  readonly posting: Posting;
};

/** The job queues to compare with, each in two processes. */
export type Queues = {
  /** Delivers a backlog and returns deliveries a second, by the name of the package. */
  readonly rounds: Readonly<Record<string, () => Promise<number>>>;
  end(): Promise<void>;
};

/** Starts two processes of each queue. A process has no connection to the database outside its queue's rounds. */
export function openQueues(settings: QueuesSettings): Queues {
  const open = Object.entries(QUEUES).map(([name, queue]) => ({
    name,
    queue,
    workers: [startChild(queue.file, SILENT), startChild(queue.file, SILENT)],
  }));
  return {
    rounds: Object.fromEntries(
      open.map(({ name, queue, workers }) => [name, () => deliver(queue, workers, settings)]),
    ),
    end: async () => {
      await Promise.all(open.flatMap(({ workers }) => workers.map((worker) => worker.end())));
    },
  };
}

/** Without this, graphile-worker prints a line for each job. */
const SILENT = { NO_LOG_SUCCESS: '1' };

async function deliver(queue: Queue, workers: readonly Child[], settings: QueuesSettings): Promise<number> {
  const { receiver, databaseUrl, posting } = settings;
  const { table, unfinished } = queue;
  const all = (what: string, given?: unknown): Promise<unknown> =>
    Promise.all(workers.map((worker) => worker.ask(what, given)));
  // The first one to open creates the schema.
  for (const worker of workers) await worker.ask('open', databaseUrl);
  await all('add', posting);
  // Rows of earlier rounds and old statistics must not slow the queue down.
  await query(databaseUrl, `VACUUM ANALYZE ${table}`);
  await receiver.ask('reset');
  await all('work', posting.atOnce);
  const rate = await rateUntilStored(receiver, workers.length * posting.count, () =>
    whenNone(databaseUrl, `SELECT count(*)::int AS left FROM ${table} WHERE ${unfinished}`),
  );
  await all('rest');
  return rate;
}

/**
 * Returns deliveries a second, from the first request until the sender has stored every result. Throws if a request
 * came twice.
 */
export async function rateUntilStored(
  receiver: Child,
  count: number,
  stored: () => Promise<void>,
): Promise<number> {
  const { firstAt, requests } = await receiver.ask<Received>('await', count);
  await stored();
  if (requests !== count) throw new Error(`${requests} requests came for ${count} deliveries.`);
  return count / ((nowMs() - firstAt) / 1_000);
}
