import type { PageRequest, Position } from '../../../kernel/page.ts';
import { readRows, type LineOrWhole } from '../../../platform/column-set.ts';
import type { Db } from '../../../platform/db.ts';
import type { Statement } from '../../../platform/statement.ts';
import { readSort, type Sort, type SortKey } from '../../../platform/sort.ts';
import type { PaymentLinkFilter } from '../filter.ts';
import type { PaymentLink } from '../payment-link.ts';
import { conditionsOf, type AddValue } from './conditions.ts';
import { LINK_COLUMNS } from './columns.ts';

/** A page of a list of payment links, which begins behind `position`. */
export type LinkPage = {
  readonly sort: Sort;
  readonly columns: LineOrWhole;
  readonly filter: PaymentLinkFilter;
  readonly direction: PageRequest['direction'];
  readonly position: Position | null;
  readonly limit: number;
};

/** Reads one row more than the page: in the order of the sort going forward, against it going backward. */
export const readLinkPage = (
  db: Db,
  merchantAccountId: string,
  page: LinkPage,
): Promise<readonly PaymentLink[]> =>
  readRows(db, linkListStatement(merchantAccountId, page), LINK_COLUMNS[page.columns]);

/**
 * Builds the statement of a page from the given filters only, planned for their values. The rarity of a value decides
 * between walking the sort's index and collecting the few matches.
 */
export function linkListStatement(merchantAccountId: string, page: LinkPage): Statement {
  const { sort, columns, filter, direction, position, limit } = page;
  const { key, descending } = readSort(sort);
  const down = descending === (direction === 'forward');
  const values: unknown[] = [];
  const value: AddValue = (each) => `$${values.push(each)}`;
  const account = `${value(merchantAccountId)}::text`;
  const behind = position
    ? [
        `(l.${key}, l.id) ${down ? '<' : '>'} (${value(position.value)}::${TYPES[key]}, ${value(position.id)}::uuid)`,
      ]
    : [];
  const where = [`l.merchant_account_id = ${account}`, ...behind, ...conditionsOf(filter, value)];
  const order = `ORDER BY l.${key} ${down ? 'DESC' : 'ASC'}, l.id ${down ? 'DESC' : 'ASC'}`;
  return {
    // Without a filter there is only one good plan.
    name: Object.values(filter).every((each) => each === null)
      ? `list_payment_links_${columns}_${sort}_${direction}${position ? '_on' : ''}`
      : null,
    text: `SELECT ${LINK_COLUMNS[columns].select('l')} FROM payment_link l
      WHERE ${where.join(' AND ')} ${order} LIMIT ${value(limit + 1)}`,
    values,
  };
}

/** Counts the payment links that meet every given filter. The count ends at `atMost`. */
export async function countLinks(
  db: Db,
  merchantAccountId: string,
  filter: PaymentLinkFilter,
  atMost: number,
): Promise<number> {
  const values: unknown[] = [];
  const value: AddValue = (each) => `$${values.push(each)}`;
  const where = [`l.merchant_account_id = ${value(merchantAccountId)}::text`, ...conditionsOf(filter, value)];
  const text = `SELECT count(*)::int AS count FROM (
    SELECT FROM payment_link l WHERE ${where.join(' AND ')} LIMIT ${value(atMost)}) matches`;
  const [row] = await db.query<{ readonly count: number }>({ name: null, text, values });
  return row?.count ?? 0;
}

const TYPES = {
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  amount: 'int',
} as const satisfies Record<SortKey, string>;
