import type { App } from '../../src/app.ts';
import { approvalTokenOf } from '../../src/modules/transactions/awaiting/approval-page.ts';
import { tokenFor } from '../../src/modules/transactions/awaiting/session-token.ts';
import {
  approve,
  comeBack,
  completeTransaction,
  createTransactionSession,
} from '../../src/modules/transactions/index.ts';
import type { Create, Word } from './acts.ts';
import { decideAtPage, payAtShop, type Away } from './away.ts';

/** The authorisation that waits for the buyer, and its transaction. */
export type Waiting = {
  readonly merchantAccountId: string;
  readonly id: string;
  readonly transactionId: string;
};

type Decision = Pick<Create, 'method'> & Pick<Word, 'reported'>;

/** Lets the buyer decide where the payment's method asks. Returns the answer in words, or null when nothing was asked. */
export async function decide(
  app: App,
  away: Away,
  operation: Waiting,
  decision: Decision,
): Promise<string | null> {
  switch (decision.method) {
    case 'away':
      return decideAway(app, away, operation, decision);
    case 'paypal':
    case 'card-page':
      return decideAtTheirPage(app, away, operation, decision);
    case 'push':
      return payAtShop(away, await approvalTokenOf(app, operation)) ? 'paid at the shop' : null;
    case 'client':
      return decideInClient(app, operation, decision);
    default:
      return wordsOf(await approve(app, await approvalTokenOf(app, operation), answerOf(decision)));
  }
}

/** Decides at the provider's page, and comes back with parameters that claim the decision. */
async function decideAway(app: App, away: Away, operation: Waiting, { reported }: Decision) {
  const token = await tokenFor(app, 'return', operation);
  if (!decideAtPage(away, token, reported)) return null;
  return wordsOf(await comeBack(app, token, reported === 'nothing' ? {} : { redirect_result: reported }));
}

/** Decides at a real provider's page and comes back. A buyer whom the provider never saw decides at a page of ours. */
async function decideAtTheirPage(app: App, away: Away, operation: Waiting, decision: Decision) {
  const token = await tokenFor(app, 'return', operation);
  const returned = away.decideAtPage(token, decision.reported);
  return returned === null
    ? wordsOf(await approve(app, await approvalTokenOf(app, operation), answerOf(decision)))
    : wordsOf(await comeBack(app, token, returned));
}

/** Opens the session, decides in the client, and completes the payment. Some clients complete it without a decision. */
async function decideInClient(app: App, operation: Waiting, decision: Decision) {
  const session = await createTransactionSession(app, null, {
    id: operation.transactionId,
    token: await tokenFor(app, 'session', operation),
  });
  if (!session.ok) return session.refusals[0].kind;
  if (decision.reported !== 'nothing')
    await approve(app, await approvalTokenOf(app, operation), answerOf(decision));
  return wordsOf(await completeTransaction(app, await tokenFor(app, 'completion', operation)));
}

const answerOf = ({ reported }: Decision) => (reported === 'refused' ? reported : 'approved');

const wordsOf = (approval: { readonly kind: string; readonly state: string } | null): string | null =>
  approval && `${approval.kind} ${approval.state}`;
