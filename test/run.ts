import { spawn } from 'node:child_process';

// Runs the tests of these commands:
//
// - `npm test`: formatting, types, lint and the quick tests.
// - `npm test -- capture`: only the quick tests of that name.
// - `npm run test:long`: the tests that prove by repetition.
// - `npm run test:long -- simulation`: those of one section.
// - `npm run test:pooler`: the quick tests of money and events, with every service behind a real PgBouncer.

const [, , ...given] = process.argv;
const isLong = given.includes('--long');
const isBehindPooler = given.includes('--pooler');
const chosen = given.filter((each) => each !== '--long' && each !== '--pooler');

/** The tests whose statements a pooler could break. */
const OF_POOLER = [
  'test/transactions/',
  'test/events/',
  'test/idempotency/',
  'test/payment-links/',
  'test/reports/',
];
const named = isBehindPooler && chosen.length === 0 ? OF_POOLER : chosen;

/** The variable that puts every service of the run behind a pooler. */
const OF_RUN = isBehindPooler ? { PAYGRAPH_TEST_BEHIND_POOLER: 'yes' } : {};

const NODE_OPTIONS = '--disable-warning=ExperimentalWarning';

/** The checker of types and lint is written in Go. It takes a fifth less time when it collects garbage less often. */
const GOGC = '800';

type Ended = { readonly ok: boolean; readonly output: string };

/** Runs a command. Its output goes to the terminal at once, or is collected until the end. */
function run(command: string, args: readonly string[], { collect = false } = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      // oxlint-disable-next-line no-restricted-properties -- the runner passes its environment on
      env: { GOGC, ...process.env, NODE_OPTIONS, ...OF_RUN },
      stdio: collect ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => void (output += chunk.toString()));
    child.on('close', (code) => resolve({ ok: code === 0, output }));
  });
}

/** Runs one npm script and reports its result and duration, with its output if it fails. */
async function part(title: string, script: string): Promise<boolean> {
  const startedAt = performance.now();
  const { ok, output } = await run('npm', ['run', '--silent', script], { collect: true });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stderr.write(`${ok ? '✓' : '✗'} ${title}: ${seconds} s\n${ok ? '' : output}`);
  return ok;
}

const jest = (): Promise<Ended> =>
  run('jest', ['--config', isLong ? '.config/jest-long.mjs' : '.config/jest.mjs', ...named]);

if (isBehindPooler) {
  const { findPgBouncer } = await import('./deploy/pgbouncer.ts');
  const found = await findPgBouncer();
  if ('missing' in found) {
    process.stderr.write(`No test ran behind a pooler, because ${found.missing}.\n`);
    process.exit(0);
  }
}

// The tests import generated code, so the generator runs before them. The other checks run beside them.
const isWhole = !isLong && named.length === 0;
if (isWhole && !(await part('generated code', 'generate'))) process.exit(1);
const checks = isWhole ? part('formatting, types and lint', 'check:static') : Promise.resolve(true);
const { ok } = await jest();
process.exitCode = (await checks) && ok ? 0 : 1;
