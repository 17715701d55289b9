import type { RunBench } from '../benches.ts';
import { measureDays } from './days.ts';
import { measureHour } from './hour.ts';

/** Measures what grows over time: in an hour of steady load, and in 60 days of the service's own clock. */
export const runSoak: RunBench = async (options) =>
  [await measureHour(options), await measureDays(options)].join('\n\n');
