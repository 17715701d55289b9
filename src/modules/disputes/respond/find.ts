import type { App, Viewer } from '../../../app.ts';
import { readResponsesOf } from './response.sql.ts';
import type { DisputeResponse } from './response.ts';

/** The most responses that are shown with a dispute. */
const LATEST_MAX = 20;

/** Returns the latest responses of each dispute, newest first, in the order of the ids. */
export async function findResponsesOf(
  app: App,
  { merchantAccountId }: Viewer,
  disputeIds: readonly string[],
): Promise<readonly (readonly DisputeResponse[])[]> {
  const found = await readResponsesOf(app.db, merchantAccountId, disputeIds, LATEST_MAX);
  const byDispute = Map.groupBy(found, ({ disputeId }) => disputeId);
  return disputeIds.map((id) => byDispute.get(id) ?? []);
}
