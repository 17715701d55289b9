import { countingBy } from '../../../platform/database/counted-rows.ts';
import { prepareFile } from '../../../platform/database/statement.ts';

/** Counts the webhooks of providers that wait for their operation. */
export const countWaitingWebhooks = countingBy(prepareFile(import.meta, 'count-waiting-webhooks.sql'));
