import type { App } from '../../../app.ts';
import { replaceAntiFraudService } from './anti-fraud-services.sql.ts';
import type { StoredAntiFraudService } from './anti-fraud-service.ts';
import { recordAntiFraudEvent } from './event.ts';

/**
 * Writes a changed or deleted service over the state on which the change was decided, with its event. Commits once.
 * Returns false and writes nothing if the row has changed since.
 */
export const writeChange = (
  app: App,
  change: 'updated' | 'deleted',
  before: StoredAntiFraudService,
  after: StoredAntiFraudService,
): Promise<boolean> =>
  app.db.transaction(async (tx) => {
    const written = await replaceAntiFraudService(tx, before, after);
    if (written) await recordAntiFraudEvent(app, tx, change, after);
    return written;
  });
