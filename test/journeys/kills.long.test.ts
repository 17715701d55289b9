import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openHarness, REST_LIMIT_MS, type Harness } from './kill-rounds.ts';

// `npm run kills` runs many more of these rounds, with one disaster each.

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
}, 60_000);
afterAll(() => harness.close(), 30_000);

it('no payment is lost, doubled or misreported when a server is killed and Postgres is stopped at once under load', async () => {
  const { answered, broken, replays, restMs, violations } = await harness.round(['kill', 'stop_postgres']);

  expect(violations).toEqual([]);
  expect(restMs).toBeLessThan(REST_LIMIT_MS);
  // There was something to lose.
  expect(answered).toBeGreaterThan(20);
  expect(broken).toBeGreaterThan(0);
  expect(replays).toBeGreaterThan(20);
}, 90_000);
