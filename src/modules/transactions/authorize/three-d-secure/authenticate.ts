import type { App } from '../../../../app.ts';
import type { Card } from '../../../../connectors/requests.ts';
import type { Candidate } from '../../../payment-services/index.ts';
import {
  authenticationOf,
  cavvOf,
  decideThreeDS,
  paymentCard,
  readScenarios,
  type ThreeDSDecision,
  type ThreeDSScenario,
} from '../../../three-ds/index.ts';
import { approvalAddressOf, approvalTokenOf } from '../../awaiting/approval-page.ts';
import type { Transaction } from '../../model/transaction.ts';
import { begunData, concluded, notMade } from './data.ts';
import { stepsOf, type Step } from './steps.ts';
import type { ThreeDSecure } from '../../model/three-d-secure.ts';

/** A payment that is about to be asked of a service. */
export type Payment = {
  readonly merchantAccountId: string;
  readonly transactionId: string;
  /** Of the authorisation that is about to be claimed. */
  readonly operationId: string;
  /** Null unless a card pays. */
  readonly card: Card | null;
  readonly details: Pick<
    Transaction,
    | 'amount'
    | 'threeDSecureAmount'
    | 'threeDSecure'
    | 'externalIdentifier'
    | 'buyer'
    | 'merchantInitiated'
    | 'paymentSource'
    | 'cardScheme'
  >;
  /** Until when a challenge could be passed. */
  readonly challengeExpiresAt: Date;
};

/** An authentication, to be written with the claim of the authorisation that it is for. */
export type Begun = {
  readonly threeDSecure: ThreeDSecure;
  readonly steps: readonly Step[];
  readonly eventId: string;
  /** Null unless the buyer is challenged: the page of it. */
  readonly challenge: { readonly token: string; readonly url: string; readonly expiresAt: Date } | null;
};

/**
 * Authenticates the buyer for a service with 3DS, or begins a challenge; null where nobody is authenticated: see isAsked, and
 * a card of which the sandbox knows no outcome. In production nobody here authenticates yet: that counts as an authentication
 * that failed technically, so that the service's fallback decides. Calls nobody and writes nothing, so that whoever claims
 * with what it answers has authenticated once. Not to be called inside a transaction, for the vault's sake.
 */
export async function authenticate(
  app: App,
  service: Pick<Candidate, 'threeDSecureEnabled' | 'threeDSecureFallback'>,
  payment: Payment,
): Promise<Begun | null> {
  const { merchantAccountId, card, details } = payment;
  if (!card || !isAsked(service, payment)) return null;
  if (app.config.production) return notBegun(app, service, payment);
  const scenarios = await readScenarios(app.db, merchantAccountId);
  const billing = details.buyer?.billingDetails;
  const decision = decideThreeDS(scenarios, {
    firstName: billing?.firstName ?? null,
    lastName: billing?.lastName ?? null,
    emailAddress: billing?.emailAddress ?? null,
    amount: details.amount,
    externalIdentifier: details.externalIdentifier,
    card: await paymentCard(app.vault, merchantAccountId, card.number, scenarios),
  });
  return decision.source === 'none' ? null : begin(app, service, payment, decision);
}

/**
 * Whether a payment is authenticated: one that the buyer makes with a card, not by mail or telephone, at a service with 3DS;
 * and not twice, nor when it was done elsewhere.
 */
const isAsked = (service: Pick<Candidate, 'threeDSecureEnabled'>, { details }: Payment): boolean =>
  service.threeDSecureEnabled &&
  details.threeDSecure === null &&
  !details.merchantInitiated &&
  details.paymentSource !== 'moto';

function notBegun(
  { ids }: Pick<App, 'ids'>,
  { threeDSecureFallback }: Pick<Candidate, 'threeDSecureFallback'>,
  { details }: Payment,
): Begun {
  const threeDSecure = notMade(details.threeDSecureAmount ?? details.amount, threeDSecureFallback);
  return { threeDSecure, steps: stepsOf(ids, threeDSecure), eventId: ids.uuid(), challenge: null };
}

type Decided = Extract<ThreeDSDecision<ThreeDSScenario>, { readonly source: 'scenario' | 'test_card' }>;

async function begin(
  app: App,
  { threeDSecureFallback }: Pick<Candidate, 'threeDSecureFallback'>,
  { merchantAccountId, transactionId, operationId, details, challengeExpiresAt }: Payment,
  { source, outcome }: Decided,
): Promise<Begun> {
  const came = authenticationOf(outcome, details.cardScheme);
  const begun: ThreeDSecure = {
    source,
    amount: details.threeDSecureAmount ?? details.amount,
    method: came.method,
    enrollment: outcome.enrollment,
    result: null,
    status: null,
    challengeResult: outcome.challengeResult,
    fallback: threeDSecureFallback,
    data: begunData(app.ids, outcome),
  };
  const eventId = app.ids.uuid();
  if (came.method === 'challenge') {
    const token = await approvalTokenOf(app, { merchantAccountId, id: operationId });
    const challenge = { token, url: approvalAddressOf(app, token), expiresAt: challengeExpiresAt };
    return { threeDSecure: begun, steps: stepsOf(app.ids, begun), eventId, challenge };
  }
  const cavv = await cavvOf(app.vault, merchantAccountId, transactionId);
  const threeDSecure = concluded(begun, came, cavv);
  return { threeDSecure, steps: stepsOf(app.ids, threeDSecure), eventId, challenge: null };
}
