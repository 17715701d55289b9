import type { App } from '../../src/app.ts';
import { relayOnce } from '../../src/modules/events/index.ts';
import { query } from '../support/database.ts';
import type { BenchOptions } from './benches.ts';
import { openClients, writeEvents } from './events-log.ts';
import { takeTurns, type Turns } from './turns.ts';

export const relayExtent = ({ quick }: BenchOptions) =>
  quick ? { rounds: 1, events: 2_000 } : { rounds: 5, events: 50_000 };

/** Rows of one batch, as many as the relay's. */
export const BATCH = 500;

/**
 * Measures the events a second that one relay moves from a backlog to the feed. The limit moves as many marks, in
 * equal batches, into a table with the feed's columns and indexes. The limit neither orders nor joins.
 */
export async function measureRelay(
  app: App,
  url: string,
  accounts: readonly string[],
  options: BenchOptions,
): Promise<Turns> {
  const { rounds, events } = relayExtent(options);
  await query(
    url,
    `CREATE TABLE bench_pending (LIKE event_pending INCLUDING ALL);
     CREATE TABLE bench_feed (LIKE feed_entry INCLUDING ALL)`,
  );
  const [client] = await openClients(url, 1);
  if (!client) throw new Error('There is no connection.');
  const rate = async (work: () => Promise<void>): Promise<number> => {
    const startedAt = performance.now();
    await work();
    return events / ((performance.now() - startedAt) / 1_000);
  };
  const turns = await takeTurns({
    name: 'relay',
    rounds,
    options,
    ours: async () => {
      await writeEvents(url, accounts, events / accounts.length);
      return rate(async () => {
        while (await relayOnce(app));
      });
    },
    limit: async () => {
      await client.query(
        `INSERT INTO bench_pending SELECT coalesce((SELECT max(position) FROM bench_feed), 0) + nth
         FROM generate_series(1, ${events}) nth`,
      );
      return rate(async () => {
        while (
          (await client.query({ name: 'bench_move', text: MOVE, values: [accounts[0], BATCH] })).rowCount
        );
      });
    },
  });
  await client.end();
  return turns;
}

const MOVE = `
  WITH taken AS (
    DELETE FROM bench_pending WHERE position IN (SELECT position FROM bench_pending ORDER BY position LIMIT $2)
    RETURNING position)
  INSERT INTO bench_feed (merchant_account_id, sequence, position, created_at) SELECT $1, position, position, now() FROM taken`;
