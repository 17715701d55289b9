import type { App, Viewer } from '../../../app.ts';
import { inOrderOf } from '../../../platform/ids.ts';
import { findStoredAntiFraudServices } from './anti-fraud-services.sql.ts';
import { toAntiFraudService, type AntiFraudService } from './anti-fraud-service.ts';

/** Returns anti-fraud services in the order of the ids, deleted ones included. An unknown id gives null. */
export async function findAntiFraudServices(
  app: App,
  viewer: Viewer,
  ids: readonly string[],
): Promise<readonly (AntiFraudService | null)[]> {
  const rows = await findStoredAntiFraudServices(app.db, viewer.merchantAccountId, ids);
  return inOrderOf(
    ids,
    rows.map((row) => toAntiFraudService(app, row)),
  );
}
