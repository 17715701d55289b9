import { readCommandLine } from '../support/command-line.ts';
import { benches } from './benches.ts';
import { saveResults } from './results.ts';
import { sliceOf } from './soak/slice.ts';

// `npm run bench -- money --save` measures one part against its limit or its peers, in one run on one machine.

const WIDTH = Math.max(...Object.keys(benches).map((each) => each.length));

const USAGE = `npm run bench -- <name> [--quick] [--save] [--rows 1e4,1e5] [--slice 20m]

${Object.entries(benches)
  .map(([each, { what }]) => `  ${each.padEnd(WIDTH)}  ${what}`)
  .join('\n')}

  --quick     too short to mean anything, to try the bench itself
  --save      write the figures to test/bench/RESULTS.md
  --rows      the numbers of rows, with commas between
  --slice     a part of a soak that is added to the parts before: 20m of load, or 30d of the service's clock

Examples:
  npm run bench -- money --save
  npm run bench -- reads --quick
  npm run bench -- soak --slice 20m
`;

const { values, positionals } = readCommandLine(
  USAGE,
  {
    save: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    rows: { type: 'string' },
    slice: { type: 'string' },
  },
  { allowPositionals: true },
);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const [name] = positionals;
const slice = values.slice === undefined ? null : sliceOf(values.slice);
const bench = name === undefined ? undefined : benches[name];
if (name === undefined || !bench) {
  if (name === undefined) say(USAGE.trim());
  else process.stderr.write(`There is no bench ${name}. Add --help to see what is possible.\n`);
  process.exitCode = name === undefined ? 0 : 2;
} else if (values.slice !== undefined && slice === null) {
  process.stderr.write('--slice: must be minutes such as 20m, or days such as 30d.\n');
  process.exitCode = 2;
} else {
  const startedAt = performance.now();
  // Each step is a line on standard error, so standard output holds only the result.
  const progress = (line: string): void =>
    void process.stderr.write(
      `${((performance.now() - startedAt) / 1000).toFixed(0).padStart(5)} s  ${line}\n`,
    );
  const run = await bench.load();
  const figures = await run({
    quick: values.quick,
    rows: values.rows?.split(',').map(Number) ?? null,
    slice,
    progress,
  });
  say(`\n${figures}`);
  if (values.save) {
    const command = `npm run bench -- ${process.argv.slice(2).join(' ')}`;
    say(`\nWritten to ${await saveResults({ name, what: bench.what, command, figures })}`);
  }
}
