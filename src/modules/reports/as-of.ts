import type { App } from '../../app.ts';
import { readOldestUncounted } from './report.sql.ts';

/**
 * Returns the moment before which every fact of the account is in the sums. Call it before the sums are read: a fact that is
 * counted meanwhile then only makes the answer newer.
 */
export async function readAsOf(
  { readDb, clock }: Pick<App, 'readDb' | 'clock'>,
  account: string,
): Promise<Date> {
  const now = clock.now();
  return (await readOldestUncounted(readDb, account)) ?? now;
}
