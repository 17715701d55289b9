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

/** A payment before its authorisation at a service. */
export type Payment = {
  readonly merchantAccountId: string;
  readonly transactionId: string;
  /** The id of the authorisation that is about to be claimed. */
  readonly operationId: string;
  /** The card. Null when no card pays. */
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
  /** The end of the time to pass a challenge. */
  readonly challengeExpiresAt: Date;
};

/** An authentication, to be written with the claim of its authorisation. */
export type Begun = {
  readonly threeDSecure: ThreeDSecure;
  readonly steps: readonly Step[];
  readonly eventId: string;
  /** The page of the challenge. Null when the buyer is not challenged. */
  readonly challenge: { readonly token: string; readonly url: string; readonly expiresAt: Date } | null;
};

/**
 * Authenticates the buyer for a service with 3DS, or starts a challenge. Returns null when the payment needs no
 * authentication (see isAsked), or the sandbox knows no outcome of the card. In production no service authenticates
 * here yet. Such a payment counts as a technical failure, so that the service's fallback decides.
 * Calls no provider and writes nothing, so the claim authenticates exactly once. Must not be called inside a database
 * transaction, because it needs the vault.
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
 * True when a payment is authenticated. The buyer pays with a card, not by mail or telephone, at a service with 3DS. A
 * payment is not authenticated twice, and not when the merchant did it elsewhere.
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
