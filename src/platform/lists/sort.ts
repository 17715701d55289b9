import {
  notACursor,
  parsePosition,
  positionKey,
  type PageRequest,
  type Position,
} from '../../kernel/page.ts';
import type { InvalidInput } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { isUuid } from '../ids.ts';

/** The sorts of a list of payments or payment links. The id breaks ties, in the same direction. */
export type Sort = `${SortKey}_${'asc' | 'desc'}`;
export type SortKey = 'created_at' | 'updated_at' | 'amount';

/** The sorted fields of a record. */
export type Sorted = {
  readonly id: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly amount: number;
};

/** Returns the column and the direction of a sort. */
export const readSort = (sort: Sort): { readonly key: SortKey; readonly descending: boolean } =>
  sort.endsWith('_desc')
    ? { key: sort.slice(0, -'_desc'.length) as SortKey, descending: true }
    : { key: sort.slice(0, -'_asc'.length) as SortKey, descending: false };

/** Returns the function that gives the cursor key of a record in a list of this sort. */
export const sortedKey = (sort: Sort): ((record: Sorted) => string) => {
  const { key } = readSort(sort);
  return (record) => positionKey({ sort, value: VALUES[key](record), id: record.id });
};

/** The order of a list that has one order. */
export const NEWEST_FIRST = 'created_at_desc' as const satisfies Sort;

/** Gives the cursor key of a record in a list of the newest first. */
export const newestKey = ({ id, createdAt }: Pick<Sorted, 'id' | 'createdAt'>): string =>
  positionKey({ sort: NEWEST_FIRST, value: createdAt.toISOString(), id });

/** Returns the position that a page starts after. Null at an end. Refuses a cursor of another sort or another list. */
export function sortedPosition(page: PageRequest, sort: Sort): Result<Position | null, InvalidInput> {
  const position = parsePosition(page, sort);
  if (!position.ok || position.value === null) return position;
  const { value, id } = position.value;
  return isUuid(id) && IS_VALUE[readSort(sort).key](value) ? ok(position.value) : refuse(notACursor(page));
}

const VALUES: Readonly<Record<SortKey, (record: Sorted) => string>> = {
  created_at: ({ createdAt }) => createdAt.toISOString(),
  updated_at: ({ updatedAt }) => updatedAt.toISOString(),
  amount: ({ amount }) => String(amount),
};

/** Returns true for a moment in the form of toISOString, which excludes a 30th of February. Postgres has no year 0. */
function isMoment(value: string): boolean {
  const moment = new Date(value);
  return !Number.isNaN(moment.getTime()) && moment.toISOString() === value && /^(?!0000)\d{4}-/.test(value);
}

const IS_VALUE: Readonly<Record<SortKey, (value: string) => boolean>> = {
  created_at: isMoment,
  updated_at: isMoment,
  amount: (value) => /^\d{1,8}$/.test(value),
};
