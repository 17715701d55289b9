import { isDeepStrictEqual, parseArgs } from 'node:util';
import { migrate } from '../../src/platform/migrate/migrate.ts';
import { startPostgres } from '../support/postgres.ts';
import { FINISHES, openArena, type Arena, type RaceKind } from './race.ts';

// `npm run races -- --rounds 200`: the races of race.test.ts, many times, on a Postgres of their own.

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '200' } } });
const rounds = Number(values.rounds);

const SHOWN_MAX = 20;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const postgres = await startPostgres();
const url = postgres.url('postgres');
await migrate(url);
const arena = await openArena(url);
const startedAt = performance.now();
let wrong = 0;
for (const kind of ['refund', 'capture', 'capture_or_void'] as const) wrong += await runAll(arena, kind);
const differences = await arena.verdict();
differences.slice(0, SHOWN_MAX).forEach((difference) => say(`  ${difference}`));
say(
  `${rounds * 3} races in ${Math.round((performance.now() - startedAt) / 1000)} s: ${wrong} ended wrongly; ` +
    `${differences.length} differences between the provider's books and the database.`,
);
await arena.close();
await postgres.close();
process.exitCode = wrong + differences.length > 0 ? 1 : 0;

/** Runs every round of one kind and answers how many ended as they must not. */
async function runAll(arena: Arena, kind: RaceKind): Promise<number> {
  const winners = new Map<string, number>();
  let wrong = 0;
  for (let round = 1; round <= rounds; round += 1) {
    const finish = await arena.run(kind);
    const winner = finish.won.length === 1 ? (finish.won[0] ?? '') : `${finish.won.length} at once`;
    winners.set(winner, (winners.get(winner) ?? 0) + 1);
    if (!FINISHES[kind].some((possible) => isDeepStrictEqual(possible, finish))) {
      wrong += 1;
      say(`  ${kind}, round ${round}, must not end so: ${JSON.stringify(finish)}`);
    }
    if (round % 10 === 0 || round === rounds) {
      const shares = [...winners].map(([name, times]) => `${name} ${times}`).join(', ');
      say(`${kind}: ${round} of ${rounds} rounds; won: ${shares}`);
    }
  }
  return wrong;
}
