/** A reader of an append-only table, and the part of the rows that the reader wants. */
export type LogReading = {
  /** The name of the row of `log_cursor`. */
  readonly cursor: string;
  readonly table: string;
  /** The columns of `e`, a row of the table. The position must be one of them. */
  readonly columns: string;
  /** A parameter or a number. */
  readonly limit: string;
  /** The beginning of the names of the table expressions, for a second reading in one statement. */
  readonly as?: string;
};

/**
 * Returns the table expression `waiting`: the rows that a reader has not read. It has at most `limit` rows of each gap, and at most
 * `limit` further rows.
 *
 * Transactions commit in another order than that of their positions. So a reader remembers each position that was not there, and
 * looks again.
 */
export const waitingRows = ({ cursor, table, columns, limit, as = '' }: LogReading): string => `
  ${as}reader AS (
    SELECT *, xmin::text AS version, pg_snapshot_xmin(pg_current_snapshot())::text AS "oldestRunning"
    FROM log_cursor WHERE name = '${cursor}'),
  ${as}waiting AS (
    SELECT ${columns} FROM ${as}reader r CROSS JOIN LATERAL unnest(r.missing + r.young) AS gap CROSS JOIN LATERAL (
      SELECT * FROM ${table} WHERE position >= lower(gap) AND position < upper(gap) ORDER BY position LIMIT ${limit}) e
    UNION ALL
    (SELECT ${columns} FROM ${table} e WHERE e.position > (SELECT position FROM ${as}reader) ORDER BY e.position LIMIT ${limit}))`;

/**
 * Returns the table expressions that take the oldest waiting rows, as `taken`, and move the cursor behind them. Each row is taken once,
 * and none is left out. The statement commits the cursor with all that it does for the rows.
 *
 * A gap is forgotten once no transaction can fill it. A transaction gets its number before its position, by the default of the
 * column. So every transaction that may fill a gap has a smaller number than the finder of the gap: the horizon. Once all
 * smaller numbers have ended, the next read either finds the rows or nobody writes them.
 *
 * A dump can be restored in a cluster that has not reached the horizon. No transaction of the former cluster can fill a gap there.
 *
 * Readers of one cursor must exclude each other by a lock in an earlier statement. Their transaction must have written nothing before.
 */
export const takenRows = (reading: LogReading): string => `${waitingRows(reading)},
  ${reading.as ?? ''}taken AS (SELECT * FROM ${reading.as ?? ''}waiting ORDER BY position LIMIT ${reading.limit}),
  ${movedOn(reading, 'pg_snapshot_xmin(pg_current_snapshot())')}`;

/** Moves the cursor behind `taken`. `running` is the smallest number of a running transaction when the rows were read. */
const movedOn = (
  { cursor, limit, as = '' }: Omit<LogReading, 'table' | 'columns'>,
  running: string,
): string => `
  ${as}reached AS (
    SELECT r.missing - t.seen AS missing, r.young + int8multirange(int8range(r.position, t.position, '(]')) - t.seen AS young,
      t.position, r.missing = '{}' OR (t.rows < ${limit}
        AND (r.horizon < ${running} OR r.horizon >= pg_snapshot_xmax(pg_current_snapshot()))) AS decided
    FROM ${as}reader r CROSS JOIN LATERAL (
      SELECT count(*) AS rows, greatest(max(position), r.position) AS position,
        coalesce(range_agg(int8range(position, position, '[]')), '{}') AS seen
      FROM ${as}taken) t
    WHERE t.rows > 0),
  ${as}moved_on AS (
    UPDATE log_cursor c SET position = r.position,
      missing = CASE WHEN r.decided THEN r.young ELSE r.missing END,
      young = CASE WHEN r.decided THEN '{}' ELSE r.young END,
      horizon = CASE WHEN r.decided THEN pg_current_xact_id() ELSE c.horizon END
    FROM ${as}reached r WHERE c.name = '${cursor}' RETURNING c.position)`;
