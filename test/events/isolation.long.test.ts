import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  claimedByDueTime,
  isIsolated,
  openIsolation,
  type IsolationHarness,
  type IsolationRun,
} from './isolation.ts';

let harness: IsolationHarness;
beforeAll(async () => {
  harness = await openIsolation();
}, 60_000);
afterAll(() => harness.close());

it('60 hanging endpoints of 200 delay no delivery to the others, but starve them when claims are by due time alone', async () => {
  const before = await harness.run({ hanging: false, durationMs: 4_000 });
  // Longer than three deadlines: the hanging endpoints first have full concurrency, then failures, then a pause.
  const fair = await harness.run({ hanging: true, durationMs: 16_000 });
  const after = await harness.run({ hanging: false, durationMs: 4_000 });
  const byDueTime = await harness.run({ hanging: true, durationMs: 4_000, claim: claimedByDueTime });
  // The load of the machine changes over time. The comparison takes the worse of the runs before and after.
  const control = before.p99Ms > after.p99Ms ? before : after;

  const report = [
    `none hangs:           ${described(before)}`,
    `60 of 200 hang:       ${described(fair)}`,
    `none hangs:           ${described(after)}`,
    `60 hang, by due time: ${described(byDueTime)}`,
  ];
  process.stderr.write(`${report.join('\n')}\n`);

  expect(fair.due).toBe(40 * 35);
  expect(fair.arrived).toBe(fair.due);
  // The endpoints do hang: ten of each of five kinds wait for the whole deadline, again and again.
  expect(fair.failures['timeout']).toBeGreaterThanOrEqual(100);
  expect(fair.failures['connection_lost']).toBeGreaterThanOrEqual(20);
  expect(isIsolated(fair, control)).toBe(true);
  // The negative control shows that the test detects the starvation.
  expect(control.arrived).toBe(control.due);
  expect(isIsolated(byDueTime, control)).toBe(false);
}, 180_000);

const described = ({ due, arrived, p50Ms, p99Ms, maxMs, failures }: IsolationRun): string =>
  `${arrived} of ${due} healthy deliveries arrived, after p50 ${p50Ms}, p99 ${p99Ms}, at most ${maxMs} ms; ` +
  `failed attempts: ${JSON.stringify(failures)}`;
