import type { App, Viewer } from '../../../app.ts';
import { findStoredAntiFraudServices } from './anti-fraud-services.sql.ts';
import { toAntiFraudService, type AntiFraudService } from './anti-fraud-service.ts';

/** Returns anti-fraud services in the order of the ids, deleted ones included. An unknown id gives null. */
export async function findAntiFraudServices(
  app: App,
  viewer: Viewer,
  ids: readonly string[],
): Promise<readonly (AntiFraudService | null)[]> {
  const rows = await findStoredAntiFraudServices(app.db, viewer.merchantAccountId, ids);
  const byId = new Map(rows.map((row) => [row.id, toAntiFraudService(app, row)]));
  // The database accepts a UUID in either case and returns lower case.
  return ids.map((id) => byId.get(id.toLowerCase()) ?? null);
}
