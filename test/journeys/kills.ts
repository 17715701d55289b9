import { parseArgs } from 'node:util';
import { openHouse, type Disaster } from './kill-rounds.ts';

// `npm run kills -- --rounds 100 --stops 10`: so many storms of payments in which server processes are killed, and so many
// in which Postgres is stopped immediately, spread evenly among them.

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '100' }, stops: { type: 'string', default: '10' } },
});
const [rounds, stops] = [Number(values.rounds), Number(values.stops)];
const total = rounds + stops;

const SHOWN_MAX = 20;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** The stops at equal distances; every third kill is of both processes. */
const disasterOf = (number: number): Disaster => {
  if (Math.floor((number * stops) / total) > Math.floor(((number - 1) * stops) / total))
    return 'stop_postgres';
  return number % 3 === 0 ? 'kill_both' : 'kill';
};

const startedAt = performance.now();
const sum = { answered: 0, broken: 0, left: 0, replays: 0, violations: 0, longestMs: 0 };
const house = await openHouse();
for (let number = 1; number <= total; number += 1) {
  const disaster = disasterOf(number);
  const round = await house.round([disaster]);
  sum.answered += round.answered;
  sum.broken += round.broken;
  sum.left += round.left;
  sum.replays += round.replays;
  sum.violations += round.violations.length;
  sum.longestMs = Math.max(sum.longestMs, round.restMs);
  say(
    `round ${number} of ${total}, ${disaster}: ${round.answered} operations answered, ${round.broken} requests broken, ` +
      `${round.left} left pending, all settled after ${seconds(round.restMs)} s, ${round.replays} replays, ${round.violations.length} violations`,
  );
  round.violations.slice(0, SHOWN_MAX).forEach((violation) => say(`  ${violation}`));
}
await house.close();
say(
  `${rounds} rounds with kills and ${stops} with immediate stops of Postgres in ${seconds(performance.now() - startedAt)} s: ` +
    `${sum.answered} operations answered, ${sum.broken} requests broken, ${sum.left} operations left pending, ` +
    `all settled after ${seconds(sum.longestMs)} s at most, ${sum.replays} replays, ${sum.violations} violations.`,
);
process.exitCode = sum.violations > 0 ? 1 : 0;

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
