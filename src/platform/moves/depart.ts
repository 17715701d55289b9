import type pg from 'pg';
import type { Clock } from '../clock.ts';
import { readFactOn } from '../database/installation-facts.ts';
import { equalTexts } from '../equal-texts.ts';
import type { Ids } from '../ids.ts';
import { OperatorError } from '../operator-error.ts';
import { readUnchained, readUnderWay, readUnread, readWriters, type Waiting } from './drained.sql.ts';
import {
  auditMove,
  inTransaction,
  readMove,
  stepMove,
  writeMove,
  type Move,
  type MoveState,
} from './moves.sql.ts';
import { KNOWN_AFTER_MS } from './known-moves.ts';
import { confirmationOf, createMoveKeys, keyOf, receiptOf, targetOf } from './proofs.ts';
import { accountExists, removeAccountRows } from './rows.sql.ts';
import { readTables } from './tables.sql.ts';
import { raiseWall, walledTables } from './wall.sql.ts';

export type MoveApp = {
  readonly client: pg.Client;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Tells the operator about a step. */
  readonly say: (line: string) => void;
};

/** The longest waits before the export, in milliseconds. */
export type Waits = {
  /** For calls under way. A call that takes longer is resumed in the target, as after a crash. */
  readonly callsMs: number;
  /** For the readers of logs. */
  readonly logsMs: number;
};

export type Departure = {
  readonly account: string;
  readonly cell: string | null;
  /** True for an account that another cell serves already. It is held even while payments are held back after a restore. */
  readonly isRestored?: boolean;
};

/**
 * Holds an account until nothing of it changes any more. Continues a hold that was interrupted. Commits each step, and
 * each step binds every process at once:
 *
 * 1. `draining`: the database refuses new operations, and background work leaves the account out.
 * 2. `closing`: the database refuses every change, except those of the readers of logs.
 * 3. `held`: the database refuses every change.
 */
export async function holdAccount(app: MoveApp, departure: Departure, waits: Waits): Promise<Move> {
  const { client, say } = app;
  const tables = await readTables(client);
  const walled = walledTables(tables);
  const { account } = departure;
  let move = await begin(app, departure);
  if (move.state === 'draining') {
    say(`The account ${account} is held: it takes no new operation.`);
    await awaitWriters(app, ['operation'], waits.logsMs);
    await requireRead(app, account, readUnchained, waits.logsMs);
    const calls = await untilNone(app, () => readUnderWay(client, account), waits.callsMs);
    for (const line of calls) say(`Left for the target: ${line.rows} ${line.name}.`);
    move = await step(client, move, 'closing');
  }
  if (move.state === 'closing') {
    await raiseWall(client, tables);
    await awaitWriters(app, walled, waits.logsMs);
    await requireRead(app, account, readUnread, waits.logsMs);
    move = await step(client, move, 'held');
  }
  await raiseWall(client, tables);
  await awaitWriters(app, walled, waits.logsMs);
  say('Nothing of the account changes any more.');
  return move;
}

/** The states of an account that is still the source's own. */
export const HOLDING: readonly MoveState[] = ['draining', 'closing', 'held'];

async function begin(
  { client, ids }: MoveApp,
  { account, cell, isRestored = false }: Departure,
): Promise<Move> {
  const known = await readMove(client, account);
  if (known && HOLDING.includes(known.state)) return known;
  if (known && known.state !== 'open') throw new OperatorError(`${account} ${STANDS[known.state]}`);
  if (!(await accountExists(client, account)))
    throw new OperatorError(`The merchant account ${account} does not exist here.`);
  if (!isRestored) await requireNoRestore(client);
  const move = { account, id: ids.uuid(), cell, ...createMoveKeys(), rowsDigest: null, target: null };
  await inTransaction(client, async () => {
    await writeMove(client, { ...move, state: 'draining' });
    await auditMove(client, move, 'account.moving');
  });
  const begun = await readMove(client, account);
  if (!begun) throw new Error('A move vanished.');
  return begun;
}

/** Refuses a move while payments are held back, because the comparison with the providers needs all accounts. */
export async function requireNoRestore(client: pg.Client): Promise<void> {
  if ((await readFactOn(client, 'payments_held')) !== null)
    throw new OperatorError('Payments are held back after a restore. End that hold before a move.');
}

/** The sentences about accounts that cannot leave. */
const STANDS: Readonly<Record<Exclude<MoveState, 'open'>, string>> = {
  draining: 'is held for a move.',
  closing: 'is held for a move.',
  held: 'is held for a move.',
  left: 'has left this cell. Open it in the other cell, then forget it here.',
  forgotten: 'has left this cell, and its rows are gone.',
  arriving: 'is arriving in this cell. Open it, or give the move up, before it moves again.',
};

/** Returns the sentence for a command that does not fit the state of the account. */
export const standsAt = (account: string, move: Move | null): string =>
  move && move.state !== 'open'
    ? `${account} ${STANDS[move.state]}`
    : `${account} is not on the way. Begin with "move --export".`;

async function step(client: pg.Client, move: Move, state: MoveState): Promise<Move> {
  await stepMove(client, move, state);
  return { ...move, state };
}

async function requireRead(
  app: MoveApp,
  account: string,
  look: (client: pg.Client, account: string) => Promise<readonly Waiting[]>,
  longestMs: number,
): Promise<void> {
  const unread = await untilNone(app, () => look(app.client, account), longestMs);
  if (unread.length > 0)
    throw new OperatorError(
      `Workers have not read everything of ${account}: ${unread.map(({ name, rows }) => `${rows} ${name}`).join(', ')}. Start a worker and run the command again, or give the move up with --abort.`,
    );
}

/**
 * Waits for the transactions that write to tables at the moment. They may have looked at the move before its last step.
 * Takes no lock, so nobody waits for this wait.
 */
async function awaitWriters(app: MoveApp, tables: readonly string[], longestMs: number): Promise<void> {
  const first = await readWriters(app.client, tables);
  const left = async () => (await readWriters(app.client, tables)).filter(({ name }) => isAmong(name, first));
  if ((await untilNone(app, left, longestMs)).length > 0)
    throw new OperatorError(
      'A long transaction writes since before this step of the hold. Run the command again after its end, or give the move up with --abort.',
    );
}

const isAmong = (name: string, all: readonly Waiting[]): boolean => all.some((each) => each.name === name);

const LOOK_MS = 200;

/** Looks until nothing waits or the time is over. Returns what waits then. */
async function untilNone(
  { clock }: MoveApp,
  look: () => Promise<readonly Waiting[]>,
  longestMs: number,
): Promise<readonly Waiting[]> {
  const end = performance.now() + longestMs;
  let waiting = await look();
  while (waiting.length > 0 && performance.now() < end) {
    await clock.sleep(LOOK_MS);
    waiting = await look();
  }
  return waiting;
}

/**
 * Lets the account go for good, and returns the key that opens it in the target. Demands the receipt of the import, which
 * proves that the target has the same rows. The account leaves for that import alone: no other one gets a key. Answers the
 * same key again.
 */
export async function leaveAccount(
  { client, clock, say }: MoveApp,
  account: string,
  receipt: string,
): Promise<string> {
  const move = await readMove(client, account);
  if (!move?.privateKey || (move.state !== 'held' && move.state !== 'left'))
    throw new OperatorError(standsAt(account, move));
  const target = move.rowsDigest === null ? null : targetOf(receipt, move.rowsDigest);
  if (target === null)
    throw new OperatorError(
      'The receipt does not fit the export. Import the latest file, and give its receipt.',
    );
  if (move.target !== null && move.target !== target)
    throw new OperatorError(`${account} has left for another import. Give the receipt of that one.`);
  if (move.target === null) await stepMove(client, move, 'left', { target });
  say(`The account ${account} has left. The processes here learn it within ${KNOWN_AFTER_MS / 1_000} s.`);
  // A process that does not know it yet would show reads from before the target's changes. A repeated command waits, too.
  await clock.sleep(2 * KNOWN_AFTER_MS);
  return keyOf({ move: move.id, target }, move.privateKey);
}

/** Removes the rows of an account that has left. Demands the confirmation of the target. Commits once. */
export async function forgetAccount(
  { client }: MoveApp,
  account: string,
  confirmation: string,
): Promise<number> {
  const move = await readMove(client, account);
  if (move?.state !== 'left') throw new OperatorError(standsAt(account, move));
  const expected = expectedConfirmation(move);
  if (expected === null || !equalTexts(confirmation, expected))
    throw new OperatorError(
      'The confirmation is not that of the target. Give the text that "move --open" printed.',
    );
  return await inTransaction(client, async () => {
    await stepMove(client, move, 'forgotten');
    return await removeAccountRows(client, account);
  });
}

/** Returns the confirmation of the import that the account has left for. Null if there is none. */
function expectedConfirmation({ id, target, rowsDigest, privateKey }: Move): string | null {
  if (target === null || rowsDigest === null || privateKey === null) return null;
  return confirmationOf(keyOf({ move: id, target }, privateKey), receiptOf({ target, rowsDigest }));
}
