import { countingBy } from '../../../platform/database/counted-rows.ts';
import { prepareFile } from '../../../platform/database/statement.ts';

/** Counts the failing webhook endpoints by their latest failure. */
export const countEndpointFailures = countingBy(prepareFile(import.meta, 'count-endpoint-failures.sql'));
