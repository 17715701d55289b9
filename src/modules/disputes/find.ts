import type { App, Viewer } from '../../app.ts';
import { inOrderOf, isUuid } from '../../platform/ids.ts';
import type { Dispute } from './dispute.ts';
import { readDisputes, readDisputesOf } from './store.ts';

/** Returns disputes in the order of the ids. An id unknown to the viewer's merchant account gives null. */
export async function findDisputes(
  app: App,
  { merchantAccountId }: Viewer,
  ids: readonly string[],
): Promise<readonly (Dispute | null)[]> {
  const found = await readDisputes(app.db, merchantAccountId, ids.filter(isUuid));
  return inOrderOf(ids, found);
}

/** The most disputes of one payment that are shown with the payment. */
const LATEST_MAX = 100;

/** Returns the latest disputes of each payment, newest first, in the order of the ids. */
export async function findDisputesOf(
  app: App,
  { merchantAccountId }: Viewer,
  transactionIds: readonly string[],
): Promise<readonly (readonly Dispute[])[]> {
  const ids = transactionIds.filter(isUuid);
  const found = await readDisputesOf(app.db, merchantAccountId, ids, LATEST_MAX);
  const byTransaction = new Map(ids.map((id, index) => [id, found[index]]));
  return transactionIds.map((id) => byTransaction.get(id) ?? []);
}
