/** Selects the positions of the events that the relay has not put into the feed. */
export const WAITING_EVENTS = `
  SELECT e.position FROM event e JOIN log_cursor c ON c.name = 'feed'
  WHERE e.position > c.position OR (c.missing + c.young) @> e.position`;

/** Selects their number, as `waiting`. */
export const COUNT_WAITING = `SELECT count(*)::int AS waiting FROM (${WAITING_EVENTS}) w`;

/** Selects the number of the operations and of the entries of the ledger that the reports have not counted. */
export const COUNT_UNCOUNTED = `
  SELECT count(*) FROM (
    SELECT 'reports' AS cursor, position FROM ledger_entry
    UNION ALL SELECT 'reports of payments', position FROM operation) e
  JOIN log_cursor c ON c.name = e.cursor WHERE e.position > c.position OR (c.missing + c.young) @> e.position`;

/** Makes the relay believe that it has read every event: an event that waits gets lost. */
export const LOSE_WAITING = `UPDATE log_cursor SET position = (SELECT max(position) FROM event), missing = '{}', young = '{}'
  WHERE name = 'feed'`;
