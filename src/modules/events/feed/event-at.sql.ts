import { byKey } from '../../../platform/statement.ts';

/**
 * The event `e` of a place that another row of the statement names, as a join. It is asked for in the order of the index by
 * position, which is then used whether the table has statistics or not; the index of records has the position last, and would
 * be read from end to end.
 */
export const eventAt = (place: string): string => `CROSS JOIN LATERAL (
  SELECT * FROM event WHERE ${byKey('position', place)} ORDER BY position LIMIT 1) e`;
