import { byKey } from '../../../../platform/database/statement.ts';

/**
 * Returns a join with the event `e` of an account at a position of another row. The ORDER BY makes every plan use the
 * index by position, with or without statistics. The index of records has the position last, and would be read from end
 * to end.
 */
export const eventAt = (place: string, account: string): string => `CROSS JOIN LATERAL (
  SELECT * FROM event WHERE merchant_account_id = ${account} AND ${byKey('position', place)} ORDER BY position LIMIT 1) e`;

/** Returns a join with the feed entry `f` of an event `e` of an account. The ORDER BY has the same purpose. */
export const entryOf = (account: string): string => `CROSS JOIN LATERAL (
  SELECT merchant_account_id, sequence FROM feed_entry WHERE merchant_account_id = ${account} AND ${byKey('position', 'e.position')}
  ORDER BY position LIMIT 1) f`;
