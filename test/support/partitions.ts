import { PARTITIONS } from '../../src/modules/events/partitions/partitions.sql.ts';
import { query } from './database.ts';

/** A partition: the positions from `from`, below `until`. */
export type Partition = { readonly name: string; readonly from: bigint; readonly until: bigint };

/** Lists the partitions of the attempts or of events, oldest first. */
export async function listPartitions(
  url: string,
  table: 'event' | 'delivery_attempt' = 'delivery_attempt',
): Promise<readonly Partition[]> {
  const rows = await query<{ name: string; from: string; until: string }>(
    url,
    `SELECT * FROM (${PARTITIONS}) p WHERE "table" = '${table}' ORDER BY until`,
  );
  return rows.map(({ name, from, until }) => ({ name, from: BigInt(from), until: BigInt(until) }));
}
