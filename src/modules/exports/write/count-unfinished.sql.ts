import { countingBy } from '../../../platform/database/counted-rows.ts';
import { prepareFile } from '../../../platform/database/statement.ts';

/** Counts the exports that wait or are being written. */
export const countUnfinishedExports = countingBy(prepareFile(import.meta, 'count-unfinished-exports.sql'));
