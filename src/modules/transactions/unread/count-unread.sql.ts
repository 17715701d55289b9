import { countingBy } from '../../../platform/database/counted-rows.ts';
import { prepareFile } from '../../../platform/database/statement.ts';

/** Counts the kept webhooks of providers that could not be read, by the reason. */
export const countUnreadWebhooks = countingBy(prepareFile(import.meta, 'count-unread-webhooks.sql'));
