import type { App, Viewer } from '../../../app.ts';
import type { Circuit } from './circuit.ts';
import { readCircuits } from './circuits.sql.ts';
import { thresholdOf } from './threshold.ts';

/** Finds the open circuits of payment services, in no order. Finds none while circuits are off. */
export const findCircuits = async (
  app: App,
  merchantAccountId: string,
  paymentServiceIds: readonly string[],
): Promise<readonly Circuit[]> =>
  thresholdOf(app) ? await readCircuits(app.db, merchantAccountId, paymentServiceIds) : [];

/** Returns the open circuits of payment services in the order of the ids. Null for a service without one. */
export async function findCircuitsOf(
  app: App,
  { merchantAccountId }: Viewer,
  paymentServiceIds: readonly string[],
): Promise<readonly (Circuit | null)[]> {
  const found = await findCircuits(app, merchantAccountId, paymentServiceIds);
  const byService = new Map(found.map((circuit) => [circuit.paymentServiceId, circuit]));
  return paymentServiceIds.map((id) => byService.get(id.toLowerCase()) ?? null);
}
