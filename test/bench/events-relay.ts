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
 * Measures the events a second that one relay moves from a backlog to the feed. The limit walks as many
 * numbers with a cursor, in equal batches. Its table has the feed's columns and indexes. The limit neither orders by account nor
 * looks for gaps.
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
    `CREATE TABLE bench_log (position bigint PRIMARY KEY);
     CREATE TABLE bench_cursor AS SELECT 0::bigint AS position;
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
        `INSERT INTO bench_log SELECT coalesce((SELECT max(position) FROM bench_log), 0) + nth
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
    SELECT position FROM bench_log WHERE position > (SELECT position FROM bench_cursor) ORDER BY position LIMIT $2),
  moved_on AS (
    UPDATE bench_cursor SET position = reached.position FROM (SELECT max(position) AS position FROM taken) reached
    WHERE reached.position IS NOT NULL)
  INSERT INTO bench_feed (merchant_account_id, sequence, position, created_at) SELECT $1, position, position, now() FROM taken`;
