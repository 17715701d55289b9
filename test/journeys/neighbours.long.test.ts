import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_BUDGETS } from '../bench/database.ts';
import { ATTACKS, type AttackName, type Target } from '../bench/neighbours/attacks.ts';
import { startChild } from '../bench/child.ts';
import { createNeighbour, measureBeside } from '../bench/neighbours/measure.ts';
import { median } from '../bench/statistics.ts';
import { createTestDatabase, query, type TestDatabase } from '../support/database.ts';
import { ownEvents } from '../support/own-events.ts';
import { PATIENCE } from '../support/patience.ts';
import { startProcess, type ServerProcess } from '../support/process.ts';

// One merchant account pays while another does as much as it can. `npm run bench -- neighbours` measures how much longer a payment
// takes. Here the limit only tells turns from none: without them, a payment takes 20 to 200 times as long.

const TIMES = 6;
const MORE_MS = 60;

/** Other tests slow the machine for a while. Without turns, every try fails. */
const TRIES = 4;

let database: TestDatabase;
let server: ServerProcess;
let neighbour: Target;
beforeAll(async () => {
  database = await createTestDatabase();
  server = await startProcess({
    ...DEFAULT_BUDGETS,
    ...{ DATABASE_URL: database.url, LOG_LEVEL: 'error', PAYGRAPH_METRICS: 'true' },
  });
  neighbour = await createNeighbour(server, database.url);
  // The neighbour captures nothing, so these events of the past are the test's own.
  const past = `SELECT id FROM event WHERE name = 'transaction.captured'`;
  for (const { id } of await query<{ id: string }>(database.url, past)) ownEvents.add(id);
}, 120_000);
afterAll(async () => {
  await server.stop();
  await database.drop();
});

/** Reads a metric of the process. */
async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
}

/** Runs an attack while some work goes on. */
async function during<Value>(name: AttackName, work: () => Promise<Value>): Promise<Value> {
  const attacker = startChild('neighbours/attacker.ts');
  await attacker.ask('start', { name, target: neighbour });
  const value = await work();
  await attacker.ask('stop');
  await attacker.end();
  return value;
}

describe('the payments of an account go on beside a neighbour with', () => {
  it.each(Object.keys(ATTACKS) as AttackName[])('%s', async (name) => {
    let longer = Infinity;
    for (let tries = 0; longer >= 0 && tries < TRIES; tries += 1) {
      const { alone, beside } = await measureBeside(name, { server, neighbour, payments: 30, aloneMs: 0 });
      longer = Math.min(longer, median(beside) - (TIMES * median(alone) + MORE_MS));
    }

    expect(longer).toBeLessThan(0);
  });
});

describe('subscriptions from the beginning', () => {
  it('leave the process free again within 50 ms, in most seconds', async () => {
    const longest = await during('40 subscriptions from the beginning', async () => {
      const seconds: number[] = [];
      await metric(LONGEST_BLOCK);
      for (let nth = 0; nth < SECONDS; nth += 1) {
        await delay(1_000);
        seconds.push(await metric(LONGEST_BLOCK));
      }
      return seconds;
    });

    expect(median(longest)).toBeLessThan(0.05 * PATIENCE);
  });

  it('keep no memory: two minutes later, the process has at most a fifth more than before', async () => {
    const before = await metric(MEMORY);
    await during('40 subscriptions from the beginning', () => delay(10_000));
    let after = Infinity;
    for (const limit = performance.now() + 120_000; after > 1.2 * before && performance.now() < limit;) {
      await delay(2_000);
      after = await metric(MEMORY);
    }

    expect(after).toBeLessThanOrEqual(1.2 * before);
  }, 180_000);
});

const SECONDS = 9;
const LONGEST_BLOCK = 'nodejs_eventloop_lag_max_seconds';
const MEMORY = 'process_resident_memory_bytes';
