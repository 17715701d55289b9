import type { App } from '../../../app.ts';
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
