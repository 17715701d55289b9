import type { RunBench } from '../benches.ts';
import { soakForDays } from './days.ts';
import { describeDays, describeLoad, type Report } from './describe.ts';
import { KEPT } from './kept.ts';
import { soakUnderLoad } from './load.ts';

/**
 * Measures what grows over time: in an hour of steady load, and in 60 days of the service's own clock. The process ends with 1
 * unless everything is flat. A quick run is too short to tell.
 */
export const runSoak: RunBench = async (options) => {
  const { slice } = options;
  const reports: Report[] = [];
  if (slice?.unit !== 'days') reports.push(describeLoad(await soakUnderLoad(options)));
  if (slice?.unit !== 'minutes') reports.push(describeDays(await soakForDays(options)));
  if (!options.quick && !reports.every(({ isFlat }) => isFlat)) process.exitCode = 1;
  return [...reports.map(({ text }) => text), ...(slice === null ? [] : [JOINED])].join('\n\n');
};

const JOINED = `The next \`--slice\` goes on with the database in \`${KEPT}\`. Remove the folder to begin anew.`;
