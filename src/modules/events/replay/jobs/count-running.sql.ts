import { countingBy } from '../../../../platform/database/counted-rows.ts';
import { prepareFile } from '../../../../platform/database/statement.ts';

/** Counts the replays that are running. */
export const countRunningReplays = countingBy(prepareFile(import.meta, 'count-running-replays.sql'));
