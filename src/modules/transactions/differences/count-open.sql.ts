import { countingBy } from '../../../platform/database/counted-rows.ts';
import { prepareFile } from '../../../platform/database/statement.ts';

/** Counts the open differences by finding. */
export const countOpenDifferences = countingBy(prepareFile(import.meta, 'count-open-differences.sql'));
