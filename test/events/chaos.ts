import { randomInt } from 'node:crypto';
import { readCommandLine, readWholeNumber } from '../support/command-line.ts';
import { describeChaos, runChaos } from './chaos-run.ts';

// `npm run chaos -- --minutes 30 --seed 7` kills server processes and stops Postgres under load for so long. Then
// every committed change must have reached every receiver.

const USAGE = `npm run chaos -- [--minutes N] [--seed N]

  --minutes N  the time under load (5)
  --seed N     the seed of the disasters (by chance)

Examples:
  npm run chaos
  npm run chaos -- --minutes 30 --seed 7
`;

const { values } = readCommandLine(USAGE, {
  minutes: { type: 'string', default: '5' },
  seed: { type: 'string' },
});
const seed = values.seed === undefined ? randomInt(2 ** 32) : Number(values.seed);
const minutes = readWholeNumber('--minutes', values.minutes);

const run = await runChaos(seed, minutes * 60_000);
process.stdout.write(`${describeChaos(run)}\n`);
process.exitCode = run.violations.length > 0 ? 1 : 0;
