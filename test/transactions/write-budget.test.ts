import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chainOnce } from '../../src/modules/audit/index.ts';
import { countAll } from '../reports/count-all.ts';
import { createUnusedDatabase, query } from '../support/database.ts';
import type { Verb } from '../support/payments.ts';
import { relayAll } from '../support/relay-all.ts';
import { createSteppedClock } from '../support/stepped-clock.ts';
import { startHarness, type Harness } from './harness.ts';
import { BATCHED, WRITE_BUDGET } from './write-budget.ts';
import { endOfLog, prepareLogReading, readWrites, type Writes } from './writes-in-log.ts';

/** The operations of each kind. */
const COUNT = 10;

const POOL = 4;

let harness: Harness;
let written: Readonly<Record<Verb, Readonly<Record<string, Writes>>>>;
beforeAll(async () => {
  // The key of the token is marked once, and all facts of the reports belong to one time.
  harness = await startHarness('mock-card', {
    clock: createSteppedClock(),
    database: await createUnusedDatabase(),
    settings: { DATABASE_POOL: String(POOL) },
  });
  const url = harness.server.app.config.DATABASE_URL ?? '';
  // Each page has room for new versions of its rows. Otherwise the sizes of the rows would decide which versions stay on a page.
  for (const table of ['transaction', 'operation'])
    await query(url, `ALTER TABLE ${table} SET (fillfactor = 40)`);
  // The first payment adds the words and the row of its card, which all others share.
  await harness.create({}, 'first');
  await finish();
  const ids: string[] = [];
  await prepareLogReading(url);
  const measure = async (
    run: (nth: number) => Promise<unknown>,
  ): Promise<Readonly<Record<string, Writes>>> => {
    const places = [await endOfLog(url)];
    for (let nth = 0; nth < COUNT; nth += 1) {
      await run(nth);
      places.push(await endOfLog(url));
    }
    await finish();
    return await readWrites(url, [...places, await endOfLog(url)]);
  };
  const authorize = await measure(async (nth) => {
    const { transaction } = await harness.create({}, `authorize ${nth}`);
    ids.push(transaction?.id ?? '');
  });
  const others: string[] = [];
  for (let nth = 0; nth < COUNT; nth += 1) others.push(await harness.authorized());
  await finish();
  written = {
    authorize,
    capture: await measure((nth) => harness.capture(ids[nth] ?? '', {}, `capture ${nth}`)),
    refund: await measure((nth) => harness.refund(ids[nth] ?? '', {}, `refund ${nth}`)),
    void: await measure((nth) => harness.void(others[nth] ?? '', `void ${nth}`)),
  };
}, 60_000);
afterAll(() => harness.stop());

/** Lets the background work of the payments end. Removes their former versions, which an earlier snapshot may have kept on a page. */
async function finish(): Promise<void> {
  const { app } = harness.server;
  await relayAll(app);
  await countAll(app);
  while (await chainOnce(app));
  await query(app.config.DATABASE_URL ?? '', 'VACUUM transaction, operation');
}

/** Returns the records that differ from the budget. A full page adds an entry to a batch now and then. */
const beside = (verb: Verb): readonly string[] =>
  Object.entries(WRITE_BUDGET[verb]).flatMap(([table, wanted]) =>
    (['hot', 'entries', 'locks'] as const).flatMap((kind) => {
      const [count, most] = [written[verb][table]?.[kind] ?? 0, wanted[kind] ?? 0];
      return Math.abs(count - most) < 0.5 ? [] : [`${table}: ${count} ${kind} instead of ${most}`];
    }),
  );

describe('the records of the log by', () => {
  it.each<Verb>(['authorize', 'capture', 'refund', 'void'])('%s are those of the budget', (verb) => {
    const versions = (writes: Readonly<Record<string, Writes>>) =>
      Object.entries(writes)
        .filter(([table]) => !BATCHED.includes(table))
        .map(([table, { inserts = 0, updates = 0, deletes = 0 }]) => [table, inserts, updates, deletes])
        .toSorted();

    expect(versions(written[verb])).toEqual(versions(WRITE_BUDGET[verb]));
    expect(beside(verb)).toEqual([]);
  });

  it('a batch are few, however many operations it has', () => {
    for (const verb of Object.values(written))
      for (const table of ['feed_head', 'log_cursor', 'audit_block', 'audit_chain']) {
        const { inserts = 0, updates = 0, deletes = 0 } = verb[table] ?? {};
        if (table !== 'audit_chain') expect([table, inserts + updates]).not.toEqual([table, 0]);
        // Four readers of logs keep their place in one table.
        expect((inserts + updates + deletes) * COUNT).toBeLessThanOrEqual(4);
      }
  });
});
