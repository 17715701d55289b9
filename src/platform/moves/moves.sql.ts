import type pg from 'pg';
import { OperatorError } from '../operator-error.ts';

/**
 * The state of a move in one cell.
 *
 * - `draining`: no operation starts, and what is under way ends.
 * - `closing`: nothing of the account changes but what the readers of logs write.
 * - `held`: nothing of the account changes. The export can begin.
 * - `left`: the account belongs to the target. Its rows are still there.
 * - `forgotten`: the rows are gone.
 * - `arriving`: the target has the rows and serves nobody.
 * - `open`: the target serves the account.
 */
export type MoveState = 'draining' | 'closing' | 'held' | 'left' | 'forgotten' | 'arriving' | 'open';

export type Move = {
  readonly account: string;
  readonly id: string;
  readonly state: MoveState;
  /** The name of the cell that gets the account. Null in that cell. */
  readonly cell: string | null;
  readonly releaseKey: string | null;
  readonly releaseDigest: string;
  readonly receipt: string | null;
  readonly startedAt: Date;
};

const READ = `SELECT account, id, state, cell, release_key AS "releaseKey", release_digest AS "releaseDigest", receipt,
  started_at AS "startedAt" FROM account_move`;

/** Returns the move of an account, or null. */
export const readMove = async (client: pg.Client, account: string): Promise<Move | null> =>
  (await client.query<Move>(`${READ} WHERE account = $1`, [account])).rows[0] ?? null;

/** Returns the moves of all accounts, the latest first. */
export const readMoves = async (client: pg.Client): Promise<readonly Move[]> =>
  (await client.query<Move>(`${READ} ORDER BY started_at DESC, account`)).rows;

/** Writes a move. It replaces the account's former move, if that one is over. */
export async function writeMove(client: pg.Client, move: Omit<Move, 'startedAt'>): Promise<void> {
  const { rowCount } = await client.query(
    `INSERT INTO account_move AS m (account, id, state, cell, release_key, release_digest, receipt, started_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, clock_timestamp(), clock_timestamp())
     ON CONFLICT (account) DO UPDATE SET id = excluded.id, state = excluded.state, cell = excluded.cell,
       release_key = excluded.release_key, release_digest = excluded.release_digest, receipt = excluded.receipt,
       started_at = excluded.started_at, updated_at = excluded.updated_at
     WHERE m.state IN ('open', 'forgotten')`,
    [move.account, move.id, move.state, move.cell, move.releaseKey, move.releaseDigest, move.receipt],
  );
  if (rowCount !== 1)
    throw new OperatorError(`Another command moves ${move.account} at the moment. Try again.`);
}

const QUICKER = 'Another command continues this move at the moment. Try again.';

/** Takes a move from one state to the next. Throws an OperatorError if another command was quicker. */
export async function stepMove(
  client: pg.Client,
  { id, state }: Pick<Move, 'id' | 'state'>,
  next: MoveState,
  receipt: string | null = null,
): Promise<void> {
  const { rowCount } = await client.query(
    `UPDATE account_move SET state = $3, receipt = coalesce($4, receipt), updated_at = clock_timestamp()
     WHERE id = $1 AND state = $2`,
    [id, state, next, receipt],
  );
  if (rowCount !== 1) throw new OperatorError(QUICKER);
}

/** Removes a move that was given up. Throws an OperatorError if another command was quicker. */
export async function removeMove(client: pg.Client, { id, state }: Move): Promise<void> {
  const { rowCount } = await client.query('DELETE FROM account_move WHERE id = $1 AND state = $2', [
    id,
    state,
  ]);
  if (rowCount !== 1) throw new OperatorError(QUICKER);
}

/** Writes an entry of the account's audit log about a move. */
export async function auditMove(
  client: pg.Client,
  { account, id, cell }: Pick<Move, 'account' | 'id' | 'cell'>,
  action: 'account.moving' | 'account.stayed' | 'account.moved',
): Promise<void> {
  await client.query(`SELECT write_audit_entry($1, $2, 'merchant-account', $1, NULL, $3)`, [
    account,
    action,
    JSON.stringify({ move: id, cell }),
  ]);
}

/** Runs work in one transaction. */
export async function inTransaction<Value>(
  client: pg.Client,
  work: () => Promise<Value>,
  mode: '' | 'ISOLATION LEVEL REPEATABLE READ READ ONLY' = '',
): Promise<Value> {
  await client.query(`BEGIN ${mode}`);
  try {
    const value = await work();
    await client.query('COMMIT');
    return value;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
