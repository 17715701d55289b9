import type { App, Viewer } from '../../../app.ts';
import { findStoredAntiFraudServices } from '../store/anti-fraud-services.ts';
import { toAntiFraudService, type AntiFraudService } from './anti-fraud-service.ts';

/** Anti-fraud services in the order of the ids, deleted ones included; null where the merchant account has none of the id. */
export async function findAntiFraudServices(
  app: App,
  viewer: Viewer,
  ids: readonly string[],
): Promise<readonly (AntiFraudService | null)[]> {
  const rows = await findStoredAntiFraudServices(app.db, viewer.merchantAccountId, ids);
  const byId = new Map(rows.map((row) => [row.id, toAntiFraudService(app, row)]));
  // The database takes a UUID in either case and answers in lower case.
  return ids.map((id) => byId.get(id.toLowerCase()) ?? null);
}
