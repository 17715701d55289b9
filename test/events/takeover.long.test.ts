import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Viewer } from '../../src/app.ts';
import { startRelay } from '../../src/modules/events/index.ts';
import { createEmptyDatabase, query } from '../support/database.ts';
import { startProcess } from '../support/process.ts';
import { openSideDb, pause, recordNamed, startEvents, until, type EventsHarness } from './harness.ts';
import { PATIENCE } from '../support/patience.ts';

let harness: EventsHarness;
beforeAll(async () => void (harness = await startEvents()));
afterAll(() => harness.stop());

const namesOf = async (viewer: Viewer): Promise<string[]> =>
  (await harness.feed(viewer)).map(({ name }) => name);

const relayIsHeld = async (): Promise<boolean> => {
  const rows = await query(
    harness.url,
    `SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
     WHERE locktype = 'advisory' AND granted AND (classid::bigint << 32) + objid::bigint = 7020584530100231`,
  );
  return rows.length > 0;
};

/** Starts a separate process whose relay stops in the middle of its first batch, holding the lock. */
async function stuckProcess(viewer: Viewer) {
  const settings = {
    DATABASE_URL: harness.url,
    PAYGRAPH_FAILPOINTS: 'relay.moved=hang',
    LOG_LEVEL: 'silent',
  };
  const other = await startProcess(settings);
  // Watched from the start: the database ends an idle lock, and a commit may take longer.
  await Promise.all([
    until(relayIsHeld, 'the relay of the other process'),
    harness.record(viewer, 'test.one', 'test.two'),
  ]);
  return other;
}

describe('a relay whose process', () => {
  it.each(['SIGKILL', 'SIGSTOP'] as const)(
    'gets %s while it holds the lock is replaced within a second, and no event is twice in the feed',
    async (signal) => {
      const tookMs: number[] = [];
      // A machine that stalls at that moment gets further tries.
      while (!tookMs.some((ms) => ms < 1_000) && tookMs.length < TRIES) tookMs.push(await takeOver(signal));

      expect(Math.min(...tookMs)).toBeLessThan(1_000);
    },
    120_000,
  );

  /** Returns the milliseconds from the signal until the events are in the feed. */
  async function takeOver(signal: NodeJS.Signals): Promise<number> {
    const viewer = await harness.viewer();
    const other = await stuckProcess(viewer);
    const relay = startRelay(harness.app);
    const startedAt = Date.now();
    process.kill(other.pid, signal);

    await until(async () => (await namesOf(viewer)).length === 2, 'the take-over');
    const tookMs = Date.now() - startedAt;
    await other.kill();
    await harness.record(viewer, 'test.three');
    await until(async () => (await namesOf(viewer)).length === 3);
    await relay.stop();
    expect((await harness.feed(viewer)).map(({ name, sequence }) => [name, sequence])).toEqual([
      ['test.one', 1n],
      ['test.two', 2n],
      ['test.three', 3n],
    ]);
    return tookMs;
  }
});

const TRIES = 8;

describe('a long writing transaction', () => {
  it('does not delay the feed, neither in another database of the cluster nor in this one', async () => {
    const viewer = await harness.viewer();
    const foreign = await createEmptyDatabase();
    const clients = [foreign.url, harness.url].map((url) => new pg.Client({ connectionString: url }));
    for (const client of clients) {
      await client.connect();
      await client.query('BEGIN; CREATE TABLE unrelated (n int); INSERT INTO unrelated VALUES (1)');
    }
    const relay = startRelay(harness.app);
    const lags: number[] = [];
    for (let turn = 0; turn < 20; turn += 1) {
      const startedAt = Date.now();
      await harness.record(viewer, `test.n${turn}`);
      relay.poke();
      await until(async () => (await namesOf(viewer)).length === turn + 1);
      lags.push(Date.now() - startedAt);
    }

    for (const client of clients) await client.end();
    await relay.stop();
    await foreign.drop();

    // The transactions were open all the time. Half of the lags show the usual one on any machine.
    expect(lags.toSorted((one, other) => one - other)[10]).toBeLessThan(1_000 * PATIENCE);
  });
});

describe('eight writers at once, with slow transactions and rollbacks', () => {
  it('lose nothing in the feed, in causal order of each payment, while a reader by position loses events', async () => {
    const viewer = await harness.viewer();
    const side = openSideDb(harness.url);
    const relay = startRelay(harness.app);
    await query(harness.url, 'CREATE TABLE payment (id uuid PRIMARY KEY)');
    const committed = new Set<string>();
    const [log] = await query<{ end: string }>(
      harness.url,
      'SELECT coalesce(max(position), 0)::text AS end FROM event',
    );

    /** Changes a payment as the engine does: behind the lock of its row. */
    const change = (id: string, name: string, { slow, fails }: { slow: boolean; fails: boolean }) =>
      side
        .transaction(async (tx) => {
          await tx.$executeRaw`INSERT INTO payment VALUES (${id}::uuid) ON CONFLICT (id) DO UPDATE SET id = excluded.id`;
          await recordNamed(harness.app, tx, viewer, name, id);
          await pause(slow ? 80 : Math.random() * 4);
          if (fails) throw new Error('rolled back');
        })
        .then(() => committed.add(`${id} ${name}`))
        .catch(() => undefined);
    const write = async (writer: number): Promise<void> => {
      for (let turn = 0; turn < 15; turn += 1) {
        const id = harness.app.ids.uuid();
        await change(id, 'transaction.authorized', { slow: turn % 4 === 0, fails: false });
        // Both start at once. The second one waits for the row, and its event is published second.
        await Promise.all([
          change(id, 'transaction.captured', { slow: turn % 5 === writer % 5, fails: turn % 6 === 5 }),
          change(id, 'refund.pending', { slow: false, fails: turn % 7 === 6 }),
        ]);
        relay.poke();
      }
    };

    /** Events seen by a reader that uses the order of the log: the negative control. */
    const naive = new Set<string>();
    const state = { at: log?.end ?? '0', writing: true };
    const reading = (async () => {
      const client = new pg.Client({ connectionString: harness.url });
      await client.connect();
      for (let last = false; !last;) {
        last = !state.writing;
        const { rows } = await client.query<{ position: string; seen: string }>(
          `SELECT position::text, target_id || ' ' || name AS seen FROM event WHERE position > $1 ORDER BY position`,
          [state.at],
        );
        rows.forEach(({ seen }) => naive.add(seen));
        state.at = rows.at(-1)?.position ?? state.at;
      }
      await client.end();
    })();
    await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
    state.writing = false;
    await reading;
    await until(async () => (await harness.feed(viewer)).length >= committed.size);
    await relay.stop();
    await side.close();

    const feed = await harness.feed(viewer);
    expect(feed.map(({ sequence }) => Number(sequence))).toEqual(feed.map((_, index) => index + 1));
    const seen = feed.map(({ targetId, name }) => `${targetId} ${name}`);
    expect(seen).toHaveLength(committed.size);
    expect(new Set(seen)).toEqual(committed);
    const first = new Map<string, string>();
    for (const { targetId, name } of feed) if (!first.has(targetId)) first.set(targetId, name);
    expect(new Set(first.values())).toEqual(new Set(['transaction.authorized']));
    expect(naive.size).toBeLessThan(committed.size);
  }, 60_000);
});
