import {
  notACursor,
  parsePosition,
  positionKey,
  type PageRequest,
  type Position,
} from '../../kernel/page.ts';
import type { InvalidInput } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Transaction } from './transaction.ts';

/** What a list of transactions is sorted by. The id breaks ties, in the same direction. */
export type TransactionSort = `${SortKey}_${'asc' | 'desc'}`;
export type SortKey = 'created_at' | 'updated_at' | 'amount';

/** The column and the direction of a sort. */
export const readSort = (sort: TransactionSort): { readonly key: SortKey; readonly descending: boolean } =>
  sort.endsWith('_desc')
    ? { key: sort.slice(0, -'_desc'.length) as SortKey, descending: true }
    : { key: sort.slice(0, -'_asc'.length) as SortKey, descending: false };

/** Gives the key for the cursor of a transaction in a list of this sort. */
export const transactionKey = (sort: TransactionSort): ((transaction: Transaction) => string) => {
  const { key } = readSort(sort);
  return (transaction) => positionKey({ sort, value: VALUES[key](transaction), id: transaction.id });
};

/** The position that a page begins behind; null at an end. Refuses a cursor of another sort or another list. */
export function transactionPosition(
  page: PageRequest,
  sort: TransactionSort,
): Result<Position | null, InvalidInput> {
  const position = parsePosition(page, sort);
  if (!position.ok || position.value === null) return position;
  const { value, id } = position.value;
  return isUuid(id) && IS_VALUE[readSort(sort).key](value) ? ok(position.value) : refuse(notACursor(page));
}

const VALUES: Readonly<Record<SortKey, (transaction: Transaction) => string>> = {
  created_at: ({ createdAt }) => createdAt.toISOString(),
  updated_at: ({ updatedAt }) => updatedAt.toISOString(),
  amount: ({ amount }) => String(amount),
};

/** As toISOString writes it, which knows no 30th of February; Postgres has no year 0. */
function isMoment(value: string): boolean {
  const moment = new Date(value);
  return !Number.isNaN(moment.getTime()) && moment.toISOString() === value && /^(?!0000)\d{4}-/.test(value);
}

const IS_VALUE: Readonly<Record<SortKey, (value: string) => boolean>> = {
  created_at: isMoment,
  updated_at: isMoment,
  amount: (value) => /^\d{1,8}$/.test(value),
};
