import { countEndpointFailures } from '../../modules/events/index.ts';
import { countFetchFailures } from '../../modules/settlements/index.ts';
import { countUnknownCauses, countUnreadWebhooks } from '../../modules/transactions/index.ts';
import type { CountedRows } from '../../platform/database/counted-rows.ts';
import type { Db } from '../../platform/database/db.ts';

/** Reads the failures that the database keeps, by their reason. The reasons are words of ours. */
export const readFailures = async (
  db: Pick<Db, 'query'>,
): Promise<Readonly<Record<string, readonly CountedRows[]>>> => ({
  operations: await countUnknownCauses(db),
  webhooks: await countEndpointFailures(db),
  unreadWebhooks: await countUnreadWebhooks(db),
  settlements: await countFetchFailures(db),
});
