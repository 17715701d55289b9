import type { App } from '../../../app.ts';
import { listDefinitionIds } from '../model/definitions.ts';
import { findStoredByIds, listReady, listReadyMethods, type ConnectionRow } from '../store.ts';

/**
 * Finds the services of a method that can take a new request, by position, then id. Each is active, not deleted,
 * has a definition that works here, and no refused credentials. The currencies and countries that it accepts are not checked.
 */
export const findReadyServices = (
  app: App,
  merchantAccountId: string,
  method: string,
): Promise<readonly ConnectionRow[]> =>
  listReady(app.db, merchantAccountId, { method, definitionIds: listDefinitionIds(app) });

/** Finds the methods of all services that can take a new request, under the same conditions. */
export const findServedMethods = async (app: App, merchantAccountId: string): Promise<ReadonlySet<string>> =>
  new Set(await listReadyMethods(app.db, merchantAccountId, listDefinitionIds(app)));

/** Reads the connections of the payment services of these ids, in no order, deleted ones included. */
export const findConnectionRows = (
  app: App,
  merchantAccountId: string,
  ids: readonly string[],
): Promise<readonly ConnectionRow[]> => findStoredByIds(app.db, merchantAccountId, ids);
