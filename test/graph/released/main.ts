import { writeFileSync } from 'node:fs';
import { ALLOWED_BREAKS } from './allowed.ts';
import { contractFaults, readReleased, RELEASED } from './check.ts';
import { presentContract } from './contract.ts';

const USAGE = `npm run check:schema
  Compares the schema with the last release. Fails with a list of the breaking changes that nobody allowed.
npm run release:schema
  Takes the present schema as the last release. Needs an empty list of allowed breaks.
`;

/** Runs the command of the first argument. Returns the lines that tell why the command failed. */
function run(command: string | undefined): readonly string[] {
  if (command === undefined) return contractFaults(readReleased(), presentContract(), ALLOWED_BREAKS);
  if (command !== '--renew') return [USAGE];
  if (ALLOWED_BREAKS.length > 0)
    return ['Move the entries of test/graph/released/allowed.ts to the notes of the release first.'];
  writeFileSync(RELEASED, presentContract());
  return [];
}

const faults = run(process.argv[2]);
process.stderr.write(faults.map((fault) => `${fault}\n`).join(''));
if (faults.length > 0) process.exitCode = 1;
