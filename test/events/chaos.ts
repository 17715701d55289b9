import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { describeChaos, runChaos } from './chaos-run.ts';

// `npm run chaos -- --minutes 30 --seed 7` kills server processes and stops Postgres under load for so long. Then
// every committed change must have reached every receiver.

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '5' }, seed: { type: 'string' } },
});
const seed = values.seed === undefined ? randomInt(2 ** 32) : Number(values.seed);

const run = await runChaos(seed, Number(values.minutes) * 60_000);
process.stdout.write(`${describeChaos(run)}\n`);
process.exitCode = run.violations.length > 0 ? 1 : 0;
