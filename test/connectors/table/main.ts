import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { connectorsPage, ids } from './page.ts';
import { countSuites, type RunTest } from './suites.ts';

// Runs the contracts of all connectors of this repository, and writes their table: `npm run contracts`.

/** The page whose tables come from a run. */
const PAGE = 'src/docs/reference/connectors.md';

type Report = {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly status: string;
    }[];
  }[];
};

/** Runs the tests of the connectors with one configuration of jest. Their results go to the terminal, too. */
async function run(config: string): Promise<readonly RunTest[]> {
  const folder = await mkdtemp(join(tmpdir(), 'paygraph-contracts-'));
  const outputFile = join(folder, 'report.json');
  const words = ['--config', config, '--json', '--outputFile', outputFile, 'test/connectors/'];
  try {
    await new Promise<void>((resolve, reject) => {
      const child = spawn('jest', words, {
        // oxlint-disable-next-line no-restricted-properties -- the runner passes its environment on
        env: { ...process.env, NODE_OPTIONS: '--disable-warning=ExperimentalWarning' },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      child.on('error', reject);
      child.on('close', () => resolve());
    });
    const { testResults } = JSON.parse(await readFile(outputFile, 'utf8')) as Report;
    return testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ ancestorTitles, status }) => ({
        ...{ file: relative(process.cwd(), name), titles: ancestorTitles, status },
      })),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

const tests = [...(await run('.config/jest.mjs')), ...(await run('.config/jest-long.mjs'))];
const failed = tests.filter(({ status }) => status !== 'passed');
if (tests.length === 0 || failed.length > 0) {
  process.stderr.write(
    `The table stays as it was: ${failed.length} of ${tests.length} tests did not pass.\n`,
  );
  process.exit(1);
}
await writeFile(PAGE, await connectorsPage(countSuites(tests, ids)));
process.stdout.write(`${tests.length} tests passed. Their table is in ${PAGE}.\n`);
