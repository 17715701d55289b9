import type { Tx } from '../../platform/database/db.ts';
import { needsFigures } from './figures/needs.ts';
import { findRules, planFigures } from './store.ts';

type Prepared = { readonly merchantAccountId: string; readonly versionId: string; readonly now: Date };

/**
 * Prepares a version for payments, in the transaction that lets the version decide. A version that compares services gets its figures
 * seconds after the commit. Returns false for an unknown version.
 */
export async function prepareVersion(
  tx: Tx,
  { merchantAccountId, versionId, now }: Prepared,
): Promise<boolean> {
  const rules = await findRules(tx, merchantAccountId, versionId);
  if (!rules) return false;
  if (needsFigures(rules)) await planFigures(tx, merchantAccountId, now);
  return true;
}
