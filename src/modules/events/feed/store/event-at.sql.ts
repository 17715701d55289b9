import { byKey } from '../../../../platform/database/statement.ts';

/**
 * Returns a join with the event `e` at a position of another row. The ORDER BY makes every plan use the index by
 * position, with or without statistics. The index of records has the position last, and would be read from end to end.
 */
export const eventAt = (place: string): string => `CROSS JOIN LATERAL (
  SELECT * FROM event WHERE ${byKey('position', place)} ORDER BY position LIMIT 1) e`;
