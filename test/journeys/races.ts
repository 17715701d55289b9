import { writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { migrate } from '../../src/platform/migrate/migrate.ts';
import { readCommandLine, readWholeNumber } from '../support/command-line.ts';
import { startPostgres } from '../support/postgres.ts';
import { FINISHES, openArena, PROVIDER, type Arena, type RaceKind } from './race.ts';
import { added, racesReport } from './report.ts';

// `npm run races -- --rounds 200` runs the races of race.long.test.ts many times, on a separate Postgres. `--report`
// writes RACES.md beside this file.

const USAGE = `npm run races -- [--rounds N] [--report]

  --rounds N  rounds of each race (200)
  --report    write test/journeys/RACES.md

Examples:
  npm run races
  npm run races -- --rounds 1000 --report
`;

const { values } = readCommandLine(USAGE, {
  rounds: { type: 'string', default: '200' },
  report: { type: 'boolean', default: false },
});
const rounds = readWholeNumber('--rounds', values.rounds);

const SHOWN_MAX = 20;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const postgres = await startPostgres();
const url = postgres.url('postgres');
await migrate(url);
const arena = await openArena(url);
const startedAt = performance.now();
const kinds = {
  refund: await runAll(arena, 'refund'),
  capture: await runAll(arena, 'capture'),
  capture_or_void: await runAll(arena, 'capture_or_void'),
};
const differences = await arena.verdict();
differences.slice(0, SHOWN_MAX).forEach((difference) => say(`  ${difference}`));
const durationMs = performance.now() - startedAt;
await arena.close();
await postgres.close();
const run = { rounds, durationMs, kinds, differences: differences.length, provider: PROVIDER };
const { text, violations } = racesReport(run);
say(text);
if (values.report) await writeFile(new URL('RACES.md', import.meta.url), text);
process.exitCode = violations > 0 ? 1 : 0;

type Kind = { readonly winners: ReadonlyMap<string, number>; readonly wrong: number };

/** Runs every round of one kind. Counts the wins of each verb and the invalid ends. */
async function runAll(arena: Arena, kind: RaceKind): Promise<Kind> {
  let winners: Kind['winners'] = new Map();
  let wrong = 0;
  for (let round = 1; round <= rounds; round += 1) {
    const finish = await arena.run(kind);
    winners = added(winners, [
      [finish.won.length === 1 ? (finish.won[0] ?? '') : `${finish.won.length} at once`, 1],
    ]);
    if (!FINISHES[kind].some((possible) => isDeepStrictEqual(possible, finish))) {
      wrong += 1;
      say(`  ${kind}, round ${round}, must not end so: ${JSON.stringify(finish)}`);
    }
    if (round % 10 === 0 || round === rounds) {
      const shares = [...winners].map(([name, times]) => `${name} ${times}`).join(', ');
      say(`${kind}: ${round} of ${rounds} rounds; won: ${shares}`);
    }
  }
  return { winners, wrong };
}
