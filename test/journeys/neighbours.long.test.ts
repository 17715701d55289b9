import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ATTACKS, type AttackName, type Target } from '../bench/neighbours/attacks.ts';
import { createNeighbour, measureBeside } from '../bench/neighbours/measure.ts';
import { median } from '../bench/statistics.ts';
import { createTestDatabase, query, type TestDatabase } from '../support/database.ts';
import { ownEvents } from '../support/own-events.ts';
import { startProcess, type ServerProcess } from '../support/process.ts';

// One merchant account pays while another does as much as it can. `npm run bench -- neighbours` measures how much longer a payment
// takes. Here the limit only tells turns from none: without them, a payment takes 20 to 200 times as long.

const TIMES = 6;
const MORE_MS = 60;

let database: TestDatabase;
let server: ServerProcess;
let neighbour: Target;
beforeAll(async () => {
  database = await createTestDatabase();
  server = await startProcess({ DATABASE_URL: database.url, LOG_LEVEL: 'error' });
  neighbour = await createNeighbour(server, database.url);
  // The neighbour captures nothing, so these events of the past are the test's own.
  const past = `SELECT id FROM event WHERE name = 'transaction.captured'`;
  for (const { id } of await query<{ id: string }>(database.url, past)) ownEvents.add(id);
}, 120_000);
afterAll(async () => {
  await server.stop();
  await database.drop();
});

describe('the payments of an account go on beside a neighbour with', () => {
  it.each(Object.keys(ATTACKS) as AttackName[])('%s', async (name) => {
    const { alone, beside } = await measureBeside(name, { server, neighbour, payments: 30, aloneMs: 0 });

    expect(median(beside)).toBeLessThan(TIMES * median(alone) + MORE_MS);
  });
});
