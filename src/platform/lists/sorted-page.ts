import { toPage, type Page, type PageRequest } from '../../kernel/page.ts';
import type { InvalidInput } from '../../kernel/refusal.ts';
import type { Result } from '../../kernel/result.ts';
import type { Config } from '../process/config.ts';
import type { Db } from '../database/db.ts';
import { readSort } from './sort.ts';
import { countSorted, newestOf, readSortedPage, type Sorted } from './sorted-page.sql.ts';
import { unlessBroad } from './too-broad.ts';

/** The names of a list in its refusals. */
export type ListNames = {
  /** The plural of what the list holds. */
  readonly records: string;
  /** The names to the object or the arguments that hold the filters of creation. */
  readonly path: readonly string[];
};

/** The parts of the app that read lists. */
type Reader = { readonly db: Db; readonly config: Pick<Config, 'PAYGRAPH_LIST_SCAN_LIMIT'> };

/** Lists a page. Refuses a filter that would scan too many rows, and names a range of creation that is small enough. */
export async function listSorted<Row>(
  { db, config }: Reader,
  names: ListNames,
  request: PageRequest,
  list: Sorted<Row>,
): Promise<Result<Page<Row>, InvalidInput>> {
  const scanLimit = config.PAYGRAPH_LIST_SCAN_LIMIT;
  const found = await readSortedPage(db, list, { limit: request.limit + 1, scanLimit });
  const isByCreation = readSort(list.page.sort).key === 'created_at';
  const broad = { ...names, scanLimit, newest: isByCreation ? null : newestOf(list) };
  return await unlessBroad(db, broad, found, (rows) => toPage(request, rows));
}

/** Counts the records of all pages. The count ends at `atMost`. Refuses as `listSorted` does. */
export async function countAll(
  { db, config }: Reader,
  names: ListNames,
  list: Sorted<unknown>,
  atMost: number,
): Promise<Result<number, InvalidInput>> {
  const scanLimit = config.PAYGRAPH_LIST_SCAN_LIMIT;
  const found = await countSorted(db, list, { limit: atMost, scanLimit });
  return await unlessBroad(db, { ...names, scanLimit, newest: null }, found, (count) => count);
}
