import { queryIn, type Tx } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';

export type LogEnd = { readonly createdPosition: bigint; readonly createdGaps: bigint[] };

/**
 * Returns the end of the log as this transaction sees it. The end is the greatest position and the earlier positions
 * that are not yet committed. A new endpoint gets every event outside this snapshot.
 *
 * The sequence's last value would be wrong, because it also counts uncommitted events.
 */
export async function readLogEnd(tx: Tx): Promise<LogEnd> {
  const [row] = await queryIn(tx).query<LogEnd>(logEnd({}));
  return row ?? { createdPosition: 0n, createdGaps: [] };
}

const logEnd = prepareFile(import.meta, 'log-end.sql');
