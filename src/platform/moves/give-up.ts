import { OperatorError } from '../operator-error.ts';
import { HOLDING, holdAccount, standsAt, type MoveApp, type Waits } from './depart.ts';
import { auditMove, inTransaction, readMove, removeMove, stepMove } from './moves.sql.ts';
import { releaseKeyPairs, removeAccountRows } from './rows.sql.ts';

/**
 * Gives a move up. The source serves the account again, or the target removes the rows of an account that it never served.
 * The source refuses it after the account has left, because the target may serve the account. The option `isTargetLost` is
 * the word of an operator who knows that the target never will.
 */
export async function abortMove(
  { client }: MoveApp,
  account: string,
  { isTargetLost = false }: { readonly isTargetLost?: boolean } = {},
): Promise<void> {
  const move = await readMove(client, account);
  const isOurs = move && (HOLDING.includes(move.state) || (move.state === 'left' && isTargetLost));
  if (!move || !(isOurs || move.state === 'arriving')) throw new OperatorError(standsAt(account, move));
  await inTransaction(client, async () => {
    // The move goes first. A command that opens the account at the same time then waits, and finds no move.
    await removeMove(client, move);
    if (isOurs) await auditMove(client, move, 'account.stayed');
    else {
      await removeAccountRows(client, account, ['merchant_account']);
      await releaseKeyPairs(client, account);
    }
  });
}

/**
 * Closes an account that another cell serves. A restore of this cell from a backup brought the account back.
 * Needs no proof: a closed account is never served twice. Holds the account first, because the readers of logs stop at rows
 * that they may not write.
 */
export async function closeAccount(
  app: MoveApp,
  { account, cell }: { readonly account: string; readonly cell: string },
  waits: Waits,
): Promise<void> {
  const move = await holdAccount(app, { account, cell, isRestored: true }, waits);
  await stepMove(app.client, move, 'left', { cell });
}
