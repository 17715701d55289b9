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
  /** Signs the key that opens the account in the target. Null in the target. */
  readonly privateKey: string | null;
  readonly publicKey: string;
  readonly rowsDigest: string | null;
  /** The id of the one import that may be opened. Null in the source until the account has left. */
  readonly target: string | null;
  readonly startedAt: Date;
};

const READ = `SELECT account, id, state, cell, private_key AS "privateKey", public_key AS "publicKey",
  rows_digest AS "rowsDigest", target, started_at AS "startedAt" FROM account_move`;

/** Returns the move of an account, or null. */
export const readMove = async (client: pg.Client, account: string): Promise<Move | null> =>
  (await client.query<Move>(`${READ} WHERE account = $1`, [account])).rows[0] ?? null;

/** Returns the moves of all accounts, the latest first. */
export const readMoves = async (client: pg.Client): Promise<readonly Move[]> =>
  (await client.query<Move>(`${READ} ORDER BY started_at DESC, account`)).rows;

/** Writes a move. It replaces the account's former move, if that one is over. */
export async function writeMove(client: pg.Client, move: Omit<Move, 'startedAt'>): Promise<void> {
  const { account, id, state, cell, privateKey, publicKey, rowsDigest, target } = move;
  const { rowCount } = await client.query(
    `INSERT INTO account_move AS m (account, id, state, cell, private_key, public_key, rows_digest, target, started_at,
       updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, clock_timestamp(), clock_timestamp())
     ON CONFLICT (account) DO UPDATE SET id = excluded.id, state = excluded.state, cell = excluded.cell,
       private_key = excluded.private_key, public_key = excluded.public_key, rows_digest = excluded.rows_digest,
       target = excluded.target, started_at = excluded.started_at, updated_at = excluded.updated_at
     WHERE m.state IN ('open', 'forgotten')`,
    [account, id, state, cell, privateKey, publicKey, rowsDigest, target],
  );
  if (rowCount !== 1) throw new OperatorError(`Another command moves ${account} at the moment. Try again.`);
}

/** Facts that a step adds to a move. */
type Known = Partial<Pick<Move, 'cell' | 'rowsDigest' | 'target'>>;

/** Takes a move from one state to the next. Throws an OperatorError if another command was quicker. */
export async function stepMove(
  client: pg.Client,
  { id, state }: Pick<Move, 'id' | 'state'>,
  next: MoveState,
  { cell = null, rowsDigest = null, target = null }: Known = {},
): Promise<void> {
  const { rowCount } = await client.query(
    `UPDATE account_move SET state = $3, cell = coalesce($4, cell), rows_digest = coalesce($5, rows_digest),
       target = coalesce(target, $6), updated_at = clock_timestamp()
     WHERE id = $1 AND state = $2`,
    [id, state, next, cell, rowsDigest, target],
  );
  requireOne(rowCount);
}

/** Removes a move that was given up. Throws an OperatorError if another command was quicker. */
export async function removeMove(client: pg.Client, { id, state }: Move): Promise<void> {
  const text = 'DELETE FROM account_move WHERE id = $1 AND state = $2';
  requireOne((await client.query(text, [id, state])).rowCount);
}

function requireOne(rowCount: number | null): void {
  if (rowCount !== 1)
    throw new OperatorError('Another command continues this move at the moment. Look at "paygraph move".');
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
