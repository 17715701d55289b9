import { randomInt } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { describeChaos, runChaos } from './chaos-run.ts';

// `npm run chaos -- --minutes 30` runs the same for longer.

it('every committed change reaches every receiver despite killed servers, stops of Postgres and failing receivers', async () => {
  const run = await runChaos(randomInt(2 ** 32), 20_000);
  process.stderr.write(`${describeChaos(run)}\n`);

  expect(run.violations).toEqual([]);
  expect(run.duplicateShare).toBeLessThanOrEqual(0.1);
  // There was something to lose, and a reason for the loss.
  expect(run.kills).toBeGreaterThanOrEqual(6);
  expect(run.restarts).toBeGreaterThanOrEqual(2);
  expect(run.broken).toBeGreaterThan(0);
  expect(run.events).toBeGreaterThan(50);
  const dropping = run.receivers.find(({ name }) => name === 'dropping');
  expect(dropping?.droppedAfterReading).toBeGreaterThan(0);
  expect(dropping?.dropped).toBeGreaterThan(dropping?.droppedAfterReading ?? 0);
}, 300_000);
