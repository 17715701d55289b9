import type { App } from '../../app.ts';
import { listDefinitionIds } from './definitions.ts';
import { findStoredByIds, listReady, type ConnectionRow } from './store.ts';

/**
 * The payment services of a method that something new can be asked of, best first: active, not deleted, status `created`, of
 * a definition that works here. Ordered by position, then id; what they accept is not asked.
 */
export const findReadyServices = (
  app: App,
  merchantAccountId: string,
  method: string,
): Promise<readonly ConnectionRow[]> =>
  listReady(app.db, merchantAccountId, { method, definitionIds: listDefinitionIds(app) });

/** The payment services of these ids, to be asked about what they have, in no order: deleted ones too. */
export const findConnectionRows = (
  app: App,
  merchantAccountId: string,
  ids: readonly string[],
): Promise<readonly ConnectionRow[]> => findStoredByIds(app.db, merchantAccountId, ids);
