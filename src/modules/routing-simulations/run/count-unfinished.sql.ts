import { countingBy } from '../../../platform/database/counted-rows.ts';
import { prepareFile } from '../../../platform/database/statement.ts';

/** Counts the simulations that wait or are being played. */
export const countUnfinishedSimulations = countingBy(
  prepareFile(import.meta, 'count-unfinished-routing-simulations.sql'),
);
