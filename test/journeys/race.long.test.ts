import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { FINISHES, openArena, type Arena, type RaceKind } from './race.ts';

/** `npm run races` runs many more of the same. */
const ROUNDS = 3;

let database: TestDatabase;
let arena: Arena;
beforeAll(async () => {
  database = await createTestDatabase();
  arena = await openArena(database.url);
}, 30_000);
afterAll(async () => {
  await arena.close();
  await database.drop();
});

describe('of 50 at once over two server processes, each for 60 of a payment of 100', () => {
  it.each<[string, RaceKind]>([
    ['one refund succeeds', 'refund'],
    ['one capture succeeds', 'capture'],
    ['one capture or one void succeeds, never both', 'capture_or_void'],
  ])('%s and every other is refused', async (_, kind) => {
    for (let round = 0; round < ROUNDS; round += 1)
      expect(FINISHES[kind]).toContainEqual(await arena.run(kind));
  });
});

it('after all races the ledger, the events and the provider agree', async () => {
  expect(await arena.verdict()).toEqual([]);
});
