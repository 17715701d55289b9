import { countingBy } from '../../../platform/database/counted-rows.ts';
import { prepareFile } from '../../../platform/database/statement.ts';

/** Counts the refunds that wait for a second person, and the approved refunds that a worker makes. */
export const countOpenApprovals = countingBy(prepareFile(import.meta, 'count-open-approvals.sql'));
