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
  const waitsFor = ({ arrived, due }: IsolationRun): boolean => arrived < due;
  const undisturbed = () => harness.run({ hanging: false, durationMs: 4_000, waitsFor });
  const compare = async () => {
    const before = await undisturbed();
    // Longer than three deadlines: the hanging endpoints first have full concurrency, then failures, then a pause.
    const fair = await harness.run({
      ...{ hanging: true, durationMs: 16_000 },
      waitsFor: (run) => waitsFor(run) || !hasHung(run),
    });
    const after = await undisturbed();
    // The load of the machine changes over time. The comparison takes the worse of the runs before and after.
    return { before, fair, after, control: before.p99Ms > after.p99Ms ? before : after };
  };
  let compared = await compare();
  // A machine that stalls in one of the runs gets further tries.
  for (let tries = 1; tries < TRIES && !isIsolated(compared.fair, compared.control); tries += 1)
    compared = await compare();
  const { before, fair, after, control } = compared;
  const byDueTime = await harness.run({ hanging: true, durationMs: 4_000, claim: claimedByDueTime });

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
  expect([hasHung(fair), fair.failures]).toEqual([true, fair.failures]);
  expect(isIsolated(fair, control)).toBe(true);
  // The negative control shows that the test detects the starvation.
  expect(control.arrived).toBe(control.due);
  expect(isIsolated(byDueTime, control)).toBe(false);
}, 400_000);

const TRIES = 4;

const hasHung = ({ failures }: IsolationRun): boolean =>
  (failures['timeout'] ?? 0) >= 100 && (failures['connection_lost'] ?? 0) >= 20;

const described = ({ due, arrived, p50Ms, p99Ms, maxMs, failures }: IsolationRun): string =>
  `${arrived} of ${due} healthy deliveries arrived, after p50 ${p50Ms}, p99 ${p99Ms}, at most ${maxMs} ms; ` +
  `failed attempts: ${JSON.stringify(failures)}`;
