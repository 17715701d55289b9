import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';

/** The claim that the tests of each folder below test/ prove. */
const PROVES = {
  accounts: 'tokens, keys and scopes let in who may, and nobody else',
  architecture: 'imports go down, and files keep to their floors',
  audit: 'every change says who made it, and no entry goes unseen',
  bench: 'the harness of the benchmarks measures what it says',
  cli: 'the commands start, explain and stop as documented',
  client: 'a consumer loses no event over a broken line',
  dashboard: 'people find, read and change payments in a browser',
  connectors: "providers' words become the right outcomes",
  deploy: 'what is shipped beside the service is valid',
  docs: 'pages, links and generated references are true',
  events: 'every change reaches every receiver in order',
  gateway: 'routers of others serve the same graph',
  graph: 'schema, scopes, limits and both executors agree',
  http: 'pages, websockets and errors keep to the contract',
  idempotency: 'a repeated mutation does nothing twice',
  journeys: 'whole stories hold through crashes and races',
  kernel: 'the pure rules hold',
  disputes: 'a loss is booked once, whatever the order of reports',
  exports: 'a file has each record once, whatever dies meanwhile',
  people: 'a person signs in with the right proofs alone',
  'payment-links': 'a link is paid once, on any browser',
  'payment-methods': 'buyers, stored methods and gift cards keep their rules',
  'payment-services': 'routing chooses and explains the right service',
  platform: 'database, vault, HTTP client and migrations hold',
  service: 'one process starts, serves and stops as its settings say',
  rest: 'each REST path keeps to its description and to the graph',
  sessions: 'a person at the dashboard has the rights of a role',
  settlements: 'each entry is stored once, and matched to its operation',
  routing: 'each payment has one rule, and no rule overrules routing',
  reports: 'sums of payments fit the ledger, in every time zone',
  simulation: 'random histories with crashes move no money wrongly',
  statements: 'the listed SQL is the SQL that is sent',
  'three-ds': '3-D Secure follows its scenarios',
  transactions: 'every operation, refusal and crash point of a payment',
  words: 'the words can be read by a stranger',
};

const SILENCE_MS = 120_000;

/** Longer than the longest file on a slow machine. */
const SILENCE_MAX_MS = 1_200_000;

/**
 * Prints the result and the duration of each part, with the claim that the part proves. Appends `N passed, N failed` to the file
 * that PAYGRAPH_TEST_SUMMARY names. A suite that could not run counts as failed. Reports skipped tests, such as browser tests
 * without a browser, on standard error. Names the files that run when no file ends for a while, and gives up much later.
 */
export default class Summary {
  #startedAt = Date.now();
  #running = new Set();
  #endedAt = Date.now();
  #watch = setInterval(() => this.#lookForSilence(), SILENCE_MS).unref();

  onTestFileStart({ path }) {
    this.#running.add(relative('.', path));
  }

  onTestFileResult({ path }) {
    this.#running.delete(relative('.', path));
    this.#endedAt = Date.now();
  }

  #lookForSilence() {
    const silentMs = Date.now() - this.#endedAt;
    if (silentMs < SILENCE_MS) return;
    process.stderr.write(
      `No file ended for ${seconds(silentMs)}. These run: ${[...this.#running].join(', ')}\n`,
    );
    if (silentMs > SILENCE_MAX_MS) process.exit(1);
  }

  onRunComplete(_contexts, results) {
    clearInterval(this.#watch);
    const { numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites } = results;
    process.stderr.write(`\n${describeParts(results.testResults)}\n`);
    process.stderr.write(`  in all: ${seconds(Date.now() - this.#startedAt)}\n`);
    if (numPendingTests > 0) process.stderr.write(`${numPendingTests} tests were skipped.\n`);
    const file = process.env.PAYGRAPH_TEST_SUMMARY;
    if (file)
      appendFileSync(
        file,
        `${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed\n`,
      );
  }
}

function describeParts(suites) {
  const parts = new Map();
  for (const { testFilePath, numPassingTests, numFailingTests, testExecError, perfStats } of suites) {
    const path = relative('test', testFilePath).split(/[\\/]/);
    const name = path.length > 1 ? path[0] : 'service';
    const part = parts.get(name) ?? { passed: 0, failed: 0, ms: 0 };
    part.passed += numPassingTests;
    part.failed += numFailingTests + (testExecError ? 1 : 0);
    part.ms += perfStats.runtime ?? 0;
    parts.set(name, part);
  }
  return [...parts]
    .sort(([, a], [, b]) => b.ms - a.ms)
    .map(([name, { passed, failed, ms }]) => {
      const mark = failed > 0 ? '✗' : '✓';
      const counts = `${passed} passed${failed > 0 ? `, ${failed} failed` : ''}`;
      return `${mark} ${name.padEnd(17)} ${seconds(ms).padStart(8)}  ${counts.padEnd(24)} ${PROVES[name] ?? ''}`;
    })
    .join('\n');
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
