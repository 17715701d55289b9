import { writeFile } from 'node:fs/promises';
import { readCommandLine } from '../support/command-line.ts';
import setUp from '../support/global-setup.ts';
import tearDown from '../support/global-teardown.ts';
import { bugReportFile, reportBugs } from './bug-report.ts';
import { describeHistory, runHistory } from './history.ts';
import { openLane } from './lane.ts';
import { makePlan } from './plan.ts';
import { describeReport, reportFile } from './report.ts';
import { KINDS, type Kind } from './real/plan.ts';
import { run } from './run.ts';
import { noSlices, readSlices, withSlice, writeSlices } from './slices.ts';

const USAGE = `npm run simulate -- [options]

  --seed N         seed of every history (1)
  --histories N    play histories 0 to N - 1 (1000)
  --resume         go on where the last call with this seed ended
  --minutes N      end after so long; --resume goes on from there
  --lanes N        so many histories at a time (4)
  --report         write the report into test/simulation/REPORT.md, too
  --history N      play only this history and print it
  --provider NAME  play histories with these providers: sandbox, stripe, adyen, paypal, mollie, checkout, braintree, all for a real
                   one each, which the seed draws, splits for the sandbox with splits, or any for a mixture (any)
  --bugs           play every seeded bug until it is caught; with --report into test/simulation/BUGS.md

Examples:
  npm run simulate -- --histories 200
  npm run simulate -- --history 17 --seed 3
`;

const REPORT = 'test/simulation/REPORT.md';
const BUG_REPORT = 'test/simulation/BUGS.md';

const { values: given } = readCommandLine(USAGE, {
  seed: { type: 'string', default: '1' },
  histories: { type: 'string', default: '1000' },
  resume: { type: 'boolean', default: false },
  minutes: { type: 'string', default: 'Infinity' },
  lanes: { type: 'string', default: '4' },
  report: { type: 'boolean', default: false },
  history: { type: 'string' },
  provider: { type: 'string', default: 'any' },
  bugs: { type: 'boolean', default: false },
});

const kind: Kind = KINDS.find((one) => one === given.provider) ?? 'any';

async function playOne(index: number): Promise<boolean> {
  const lane = await openLane();
  const history = await runHistory(lane, makePlan(Number(given.seed), index, kind));
  await lane.close();
  print(describeHistory(history));
  return history.violations.length === 0;
}

/**
 * Plays the remaining histories, or as many as time allows. A slice with a violation is not stored, so the next call
 * plays the slice again.
 */
async function playSlice(): Promise<boolean> {
  const seed = Number(given.seed);
  const before = given.resume ? await readSlices(seed, kind) : noSlices(seed, kind);
  const slice = await run({
    seed,
    kind,
    from: before.histories,
    until: Number(given.histories),
    forMs: Number(given.minutes) * 60_000,
    lanes: Number(given.lanes),
    onHistory: tellProgress(before.histories),
  });
  const { failures } = slice;
  const after = withSlice(before, slice);
  print(describeReport(after));
  for (const history of failures) print(`\n${describeHistory(history)}`);
  if (failures.length > 0) return false;
  await writeSlices(after);
  if (given.report) await writeFile(REPORT, reportFile(after));
  return true;
}

async function playBugs(): Promise<boolean> {
  const report = await reportBugs((line) => void process.stderr.write(`${line}\n`));
  print(report.text);
  if (given.report && report.fine) await writeFile(BUG_REPORT, bugReportFile(report));
  return report.fine;
}

function play(): Promise<boolean> {
  if (given.bugs) return playBugs();
  return given.history === undefined ? playSlice() : playOne(Number(given.history));
}

/** The interval between progress lines. */
const PROGRESS_MS = 10_000;

function tellProgress(from: number): () => void {
  const startedAt = performance.now();
  let played = 0;
  let notifiedAt = startedAt;
  return () => {
    played += 1;
    const now = performance.now();
    if (now - notifiedAt < PROGRESS_MS) return;
    notifiedAt = now;
    const pace = (played / (now - startedAt)) * 1_000;
    process.stderr.write(`${from + played} of ${given.histories} histories, ${pace.toFixed(0)} a second\n`);
  };
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

// The server and its watcher do not keep this process alive.
const alive = setInterval(() => undefined, 60_000);
await setUp();
try {
  process.exitCode = (await play()) ? 0 : 1;
} finally {
  await tearDown();
  clearInterval(alive);
}
