import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { installApart } from '../support/install-apart.ts';

// `npm run mutants`: plants mutants in the pure rules and runs their tests on each. `-- --report` writes REPORT.md, too.

const FOLDER = 'test/mutation';
const RESULT = '.paygraph/mutation.json';
const REPORT = `${FOLDER}/REPORT.md`;

/** The part of Stryker's JSON report that the score needs. */
type Result = {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { readonly status: string }[] }>>;
};

const CAUGHT: ReadonlySet<string> = new Set(['Killed', 'Timeout', 'RuntimeError']);
const PLANTED: ReadonlySet<string> = new Set([...CAUGHT, 'Survived', 'NoCoverage']);

function scoreOf(statuses: readonly string[]): string {
  const planted = statuses.filter((status) => PLANTED.has(status)).length;
  const caught = statuses.filter((status) => CAUGHT.has(status)).length;
  return `${planted} | ${caught} | ${((caught / planted) * 100).toFixed(1)} %`;
}

/** Writes the report: the score of each file, and of all files. */
function describe({ files }: Result): string {
  const statuses = Object.entries(files).map(
    ([path, { mutants }]) => [path, mutants.map(({ status }) => status)] as const,
  );
  const lines = statuses.map(([path, all]) => `| ${path} | ${scoreOf(all)} |`);
  return `# Mutants in the pure rules

\`npm run mutants -- --report\`

Stryker changes one thing at a time in the pure rules, and runs their tests. A mutant is caught when a test fails.

| file | mutants | caught | score |
| --- | --- | --- | --- |
${lines.join('\n')}
| all | ${scoreOf(statuses.flatMap(([, all]) => all))} |
`;
}

const given = process.argv.slice(2);
await installApart(FOLDER);
const stryker = spawn(
  process.execPath,
  [
    `${FOLDER}/node_modules/@stryker-mutator/core/bin/stryker.js`,
    'run',
    `${FOLDER}/stryker.json`,
    ...given.filter((each) => each !== '--report'),
  ],
  { stdio: 'inherit' },
);
const code = await new Promise<number | null>((resolve) => stryker.on('close', resolve));
if (code === 0 && given.includes('--report'))
  await writeFile(REPORT, describe(JSON.parse(await readFile(RESULT, 'utf8')) as Result));
process.exitCode = code ?? 1;
