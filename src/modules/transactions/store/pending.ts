/**
 * That operation `o`, which its id names, has not ended, said so that no partial index fits: the one of pending operations has an
 * entry for all that were ever pending since it was cleaned up last, where the id leads to the one.
 */
export const STILL_PENDING = `o.status || '' = 'pending'`;
