import type { RunBench } from '../benches.ts';
import { soakForDays } from './days.ts';
import { describeDays, describeLoad, type Report } from './describe.ts';
import { KEPT } from './kept.ts';
import { soakUnderLoad } from './load.ts';
import { exitCodeOf } from './verdict.ts';

/**
 * Measures what grows over time: in an hour of steady load, and in 60 days of the service's own clock. The process ends with 1
 * if anything grows, and with 3 if it is too early to tell. A quick run is too short to tell.
 */
export const runSoak: RunBench = async (options) => {
  const { slice } = options;
  const reports: Report[] = [];
  if (slice?.unit !== 'days') reports.push(describeLoad(await soakUnderLoad(options)));
  if (slice?.unit !== 'minutes') reports.push(describeDays(await soakForDays(options)));
  if (!options.quick) process.exitCode = exitCodeOf(reports.map(({ verdict }) => verdict));
  return [...reports.map(({ text }) => text), ...(slice === null ? [] : [JOINED])].join('\n\n');
};

const JOINED = `The next \`--slice\` goes on with the database in \`${KEPT}\`. Remove the folder to begin anew.`;
