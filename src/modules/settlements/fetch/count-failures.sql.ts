import { countingBy } from '../../../platform/database/counted-rows.ts';
import { prepareFile } from '../../../platform/database/statement.ts';

/** Counts the payment services whose settlements cannot be fetched, by the latest failure. */
export const countFetchFailures = countingBy(prepareFile(import.meta, 'count-fetch-failures.sql'));
