import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openHarness, openPair, REST_LIMIT_MS, type Harness } from './kill-rounds.ts';

// Postgres is a primary with a synchronous standby. `npm run kills -- --failovers 20` runs many more of these rounds.

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness('keys', openPair);
}, 60_000);
afterAll(() => harness.close(), 30_000);

it('no payment is lost, doubled or misreported when the primary is lost twice under load', async () => {
  const { answered, broken, replays, restMs, outagesMs, violations } = await harness.round([
    'failover',
    'failover',
  ]);

  expect(violations).toEqual([]);
  expect(restMs).toBeLessThan(REST_LIMIT_MS);
  expect(outagesMs).toHaveLength(2);
  // There was something to lose.
  expect(answered).toBeGreaterThan(20);
  expect(broken).toBeGreaterThan(0);
  expect(replays).toBeGreaterThan(20);
}, 90_000);
