import { sortedKey, sortedPosition, type Sort } from '../../../platform/lists/sort.ts';

export { readSort, type SortKey } from '../../../platform/lists/sort.ts';

/** The orders of a list of transactions. */
export type TransactionSort = Sort;

/** Gives the key for the cursor of a transaction in a list of a sort. */
export const transactionKey = sortedKey;

/** The position that a page of transactions begins behind. */
export const transactionPosition = sortedPosition;
