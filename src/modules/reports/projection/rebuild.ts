import type { App } from '../../../app.ts';
import { findDifferences, refill, type BucketDifference } from './rebuild.sql.ts';

/** The most differences that one comparison names. A result with as many may lack further ones. */
export const DIFFERENCES_MAX = 1_000;

/**
 * Compares the sums of a merchant account with its payments, its ledger and its authorisations. Returns each difference as a
 * sentence. With `write`, the sums are then written anew. The projection waits meanwhile, and payments do not.
 */
export async function rebuildReports(
  app: App,
  merchantAccountId: string,
  { write }: { readonly write: boolean },
): Promise<readonly string[]> {
  const found = await findDifferences(app.db, merchantAccountId, DIFFERENCES_MAX);
  if (write && found.length > 0) await refill(app.db, merchantAccountId);
  return found.map(describe);
}

function describe({ dimension, grain, starts_at, value, currency, kept, right }: BucketDifference): string {
  const place = `${grain} ${starts_at.toISOString()} ${dimension}${value === '' ? '' : ` ${value}`} ${currency}`;
  const columns = Object.keys(right ?? kept ?? {}).filter(
    (column) => (kept?.[column] ?? 0) !== (right?.[column] ?? 0),
  );
  const sums = columns.map(
    (column) => `${column} is ${kept?.[column] ?? 0} instead of ${right?.[column] ?? 0}`,
  );
  return `${place}: ${sums.join(', ')}`;
}
