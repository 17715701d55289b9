import { countingBy } from '../../../platform/database/counted-rows.ts';
import { prepareFile } from '../../../platform/database/statement.ts';

/** Counts the operations of unknown outcome that are retried, and those that wait for a person. */
export const countUnknownOutcomes = countingBy(prepareFile(import.meta, 'count-unknown-outcomes.sql'));

/** Counts the operations of unknown outcome by the cause. */
export const countUnknownCauses = countingBy(prepareFile(import.meta, 'count-unknown-causes.sql'));
