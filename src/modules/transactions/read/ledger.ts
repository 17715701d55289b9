import type { App, Viewer } from '../../../app.ts';
import { readLedger, type LedgerEntry, type LedgerPage } from './ledger.sql.ts';

export type { LedgerEntry } from './ledger.sql.ts';

/**
 * Lists entries of the merchant account's ledger, oldest first, after an id. Returns at most `limit` entries. The id must be
 * a UUID.
 */
export const listLedgerEntries = (
  app: App,
  { merchantAccountId }: Pick<Viewer, 'merchantAccountId'>,
  page: LedgerPage,
): Promise<readonly LedgerEntry[]> => readLedger(app.db, merchantAccountId, page);
