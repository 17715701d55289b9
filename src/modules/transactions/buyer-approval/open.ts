import type { App } from '../../../app.ts';
import { openSession } from '../../../connectors/calls/call-session.ts';
import type { IntegrationClient } from '../../../connectors/interface/requests.ts';
import { notFound, type NotFound, type ProviderUnavailable } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { approvalAddressOf, approvalTokenOf } from '../awaiting/approval-page.ts';
import { openAction, type ClientAction } from '../awaiting/client-action.ts';
import type { TransactionSessionEnded } from '../model/refusals.ts';
import { providerKeyOf } from '../model/provider-keys.ts';
import { openCall } from '../../payment-services/index.ts';
import { isSale } from '../model/transaction.ts';
import { findApproval, type Approval, type StoredSession } from './store/approval.sql.ts';
import { storeSession, readSessionSubject } from './store/session.sql.ts';
import { digestOf, isSameToken, tokenFor } from '../awaiting/session-token.ts';

/** The session of the buyer's client, for the approval of a payment and its completion. */
export type TransactionSession = {
  readonly sessionData: Omit<StoredSession, 'atProvider'> & {
    /** The approval page of the sandbox's buyer, in place of the provider's software. Null at another provider. */
    readonly approvalUrl: string | null;
    /** The provider's words for the present step of the client. Null at a provider without steps. */
    readonly action: ClientAction | null;
  };
  /**
   * A GET to this address completes the payment once, after the buyer's approval. Everybody with the address can call
   * it.
   */
  readonly defaultCompletionUrl: string;
  readonly integrationClient: IntegrationClient;
  readonly expiresAt: Date;
};

export type SessionRefusal = NotFound | TransactionSessionEnded | ProviderUnavailable;

/** The merchant account of the asking viewer. Null when the token alone tells the account. */
type Asker = { readonly merchantAccountId: string } | null;

/**
 * Exchanges a payment's session token for the data of its buyer's client. The provider is asked once, and repeats get
 * the stored answer. Commits once, after the provider's answer. A crash before it leaves nothing, and the next call
 * asks again. The payment does not change. Refuses every other token, and a payment that no longer waits.
 */
export async function createTransactionSession(
  app: App,
  asker: Asker,
  { id, token }: { readonly id: string; readonly token: string },
): Promise<Result<TransactionSession, SessionRefusal>> {
  const approval = await findSession(app, asker, id, token);
  if (!approval) return refuse(NOT_FOUND);
  const { state, completed, transaction } = approval;
  if (completed || state === 'expired' || state === 'refused')
    return refuse({ kind: 'TransactionSessionEnded', status: transaction.status });
  const data = approval.sessionData ?? (await ask(app, approval, token));
  return data ? ok(await sessionOf(app, approval, data)) : refuse({ kind: 'ProviderUnavailable' });
}

const NOT_FOUND = notFound('transaction session');

/** Finds the session of a token. Null when the token opens no session of this payment. */
async function findSession(app: App, asker: Asker, id: string, token: string): Promise<Approval | null> {
  const approval = await findApproval(app.db, 'session', digestOf(token), app.clock.now());
  if (!approval || approval.transaction.id !== id.toLowerCase()) return null;
  const { merchantAccountId, operationId } = approval;
  if (asker && asker.merchantAccountId !== merchantAccountId) return null;
  const own = await tokenFor(app, 'session', { merchantAccountId, id: operationId });
  return isSameToken(token, own) ? approval : null;
}

/** Asks the provider for the client's data and stores the answer. Null when the provider does not answer. */
async function ask(app: App, approval: Approval, token: string): Promise<StoredSession | null> {
  const { operation, transaction, connection } = await readSessionSubject(app.db, approval);
  const { connector, context } = await openCall(app, operation.merchantAccountId, connection);
  const { providerReference, amount, currency } = operation;
  const { integrationClient: client } = transaction;
  if (providerReference === null || client === null)
    throw new Error(`Operation ${operation.id} has no session`);
  const key = providerKeyOf(operation);
  const reported = await openSession(connector, context, app.log, {
    ...{ key, reference: providerReference, money: { amount, currency } },
    ...{ capture: isSale(transaction), client },
  });
  await failpoint('approval.session_opened');
  if (reported.kind === 'unknown') return null;
  const { data, atProvider } = reported;
  await storeSession(app.db, approval, { ...data, ...(atProvider && { atProvider }) }, app.clock.now());
  await failpoint('approval.session_stored');
  const stored = await findApproval(app.db, 'session', digestOf(token), app.clock.now());
  return stored?.sessionData ?? null;
}

/**
 * Returns the action that the buyer's client has to take now. Null while a result has no answer yet, and after the end of the wait.
 * Null as well at a provider without actions.
 */
export async function clientActionOf(
  app: App,
  { kind, state, completed, sealedForm, merchantAccountId, operationId: id }: Approval,
): Promise<ClientAction | null> {
  const waits = kind === 'session' && !completed && (state === 'pending' || state === 'approved');
  return waits && sealedForm !== null ? openAction(app, { merchantAccountId, id }, sealedForm) : null;
}

async function sessionOf(
  app: App,
  approval: Approval,
  { atProvider, ...data }: StoredSession,
): Promise<TransactionSession> {
  const { merchantAccountId, operationId: id, transaction, expiresAt } = approval;
  const { integrationClient } = transaction;
  if (integrationClient === null) throw new Error(`Operation ${id} has no session`);
  const operation = { merchantAccountId, id };
  const approvalUrl = atProvider ? null : approvalAddressOf(app, await approvalTokenOf(app, operation));
  const completion = await tokenFor(app, 'completion', operation);
  return {
    sessionData: { ...data, approvalUrl, action: await clientActionOf(app, approval) },
    defaultCompletionUrl: `${app.publicUrl}/complete/${completion}`,
    integrationClient,
    expiresAt,
  };
}
