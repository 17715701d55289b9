import type { App, Viewer } from '../../app.ts';
import { inOrderOf, isUuid } from '../../platform/ids.ts';
import type { SettlementSource } from './fetch/source.ts';
import { readSources } from './fetch/source.sql.ts';
import { readSettlements, readSettlementsOf, readTotals } from './find.sql.ts';
import type { Settlement, SettlementTotal } from './settlement.ts';

/** Returns entries in the order of the ids. An id unknown to the viewer's merchant account gives null. */
export async function findSettlements(
  app: App,
  { merchantAccountId }: Viewer,
  ids: readonly string[],
): Promise<readonly (Settlement | null)[]> {
  const found = await readSettlements(app.db, merchantAccountId, ids.filter(isUuid));
  return inOrderOf(ids, found);
}

/** The most entries of one payment that are shown with the payment. */
const LATEST_MAX = 100;

/** Returns the latest entries of each payment, newest first, in the order of the ids. */
export async function findSettlementsOf(
  app: App,
  { merchantAccountId }: Viewer,
  transactionIds: readonly string[],
): Promise<readonly (readonly Settlement[])[]> {
  const ids = transactionIds.filter(isUuid);
  const found = await readSettlementsOf(app.db, merchantAccountId, ids, LATEST_MAX);
  const byTransaction = new Map(ids.map((id, index) => [id, found[index]]));
  return transactionIds.map((id) => byTransaction.get(id) ?? []);
}

/** Returns the sums of all entries of each payment by currency, in the order of the ids. */
export async function findSettlementTotals(
  app: App,
  { merchantAccountId }: Pick<Viewer, 'merchantAccountId'>,
  transactionIds: readonly string[],
): Promise<readonly (readonly SettlementTotal[])[]> {
  const found = await readTotals(app.db, merchantAccountId, transactionIds.filter(isUuid));
  const byTransaction = Map.groupBy(found, ({ transactionId }) => transactionId);
  return transactionIds.map((id) => byTransaction.get(id.toLowerCase()) ?? []);
}

/** Returns the sources of payment services in the order of the ids. Null for a service without any fetch. */
export async function findSettlementSources(
  app: App,
  { merchantAccountId }: Viewer,
  paymentServiceIds: readonly string[],
): Promise<readonly (SettlementSource | null)[]> {
  const found = await readSources(app.db, merchantAccountId, paymentServiceIds.filter(isUuid));
  const byService = new Map(found.map((source) => [source.paymentServiceId, source]));
  return paymentServiceIds.map((id) => byService.get(id.toLowerCase()) ?? null);
}
