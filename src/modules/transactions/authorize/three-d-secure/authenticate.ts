import type { App } from '../../../../app.ts';
import type { MerchantProfile } from '../../../../connectors/interface/merchant-profile.ts';
import type { Card } from '../../../../connectors/interface/requests.ts';
import { asksProvider, type Candidate, type ThreeDSecureFallback } from '../../../payment-services/index.ts';
import {
  authenticationOf,
  cavvOf,
  decideThreeDS,
  paymentCard,
  readScenarios,
  VERSION_DEFAULT,
  type ThreeDSOutcome,
} from '../../../three-ds/index.ts';
import { approvalAddressOf, approvalTokenOf } from '../../awaiting/approval-page.ts';
import type { Transaction } from '../../model/transaction.ts';
import { startedData, concluded, notMade } from './data.ts';
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
    | 'threeDSecureRequest'
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
  /** The merchant at the card's scheme, for the request. Null without a profile. */
  readonly merchantProfile: MerchantProfile | null;
};

/** An authentication, to be written with the claim of its authorisation. */
export type StartedAuthentication = {
  readonly threeDSecure: ThreeDSecure;
  readonly steps: readonly Step[];
  readonly eventId: string;
  /** The page of the challenge. Null when the buyer is not challenged. */
  readonly challenge: { readonly token: string; readonly url: string; readonly expiresAt: Date } | null;
};

/**
 * Authenticates the buyer for a service with 3DS, or starts a challenge. Returns null when the payment needs no
 * authentication (see isAsked), or the sandbox knows no outcome of the card. Returns null too for a service whose provider
 * authenticates. In production no service authenticates here yet. Such a payment counts as a technical failure, so that
 * the service's fallback decides. A payment that asks for its authentication stops at a failure, and the sandbox
 * challenges any card for it.
 * Calls no provider and writes nothing, so the claim authenticates exactly once. Must not be called inside a database
 * transaction, because it needs the vault.
 */
export async function authenticate(
  app: App,
  service: Pick<Candidate, 'definitionId' | 'threeDSecureEnabled' | 'threeDSecureFallback'>,
  payment: Payment,
): Promise<StartedAuthentication | null> {
  const { merchantAccountId, card, details } = payment;
  if (!card || asksProvider(app, service) || !isAsked(service, payment)) return null;
  const fallback = details.threeDSecureRequest === 'always' ? 'stop' : service.threeDSecureFallback;
  if (app.config.production) return notStarted(app, fallback, payment);
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
  if (decision.source !== 'none') return begin(app, fallback, payment, decision);
  return details.threeDSecureRequest === 'always' ? begin(app, fallback, payment, CHALLENGED) : null;
}

/**
 * True when a payment is authenticated. The buyer pays with a card, not by mail or telephone, at a service with 3DS. A
 * payment is not authenticated twice, not when the merchant did it elsewhere, and not against its wish.
 */
const isAsked = (service: Pick<Candidate, 'threeDSecureEnabled'>, { details }: Payment): boolean =>
  service.threeDSecureEnabled &&
  details.threeDSecureRequest !== 'never' &&
  details.threeDSecure === null &&
  !details.merchantInitiated &&
  details.paymentSource !== 'moto';

function notStarted(
  { ids }: Pick<App, 'ids'>,
  fallback: ThreeDSecureFallback,
  { details }: Payment,
): StartedAuthentication {
  const threeDSecure = notMade(details.threeDSecureAmount ?? details.amount, fallback);
  return { threeDSecure, steps: stepsOf(ids, threeDSecure, null), eventId: ids.uuid(), challenge: null };
}

type Decided = { readonly source: 'scenario' | 'test_card' | 'request'; readonly outcome: ThreeDSOutcome };

/** The sandbox's course for a payment that asks for its authentication: the buyer chooses the result. */
const CHALLENGED: Decided = {
  source: 'request',
  outcome: {
    ...{ enrollment: 'enrolled', version: VERSION_DEFAULT },
    ...{ authentication: 'c', challengeResult: null },
  },
};

async function begin(
  app: App,
  fallback: ThreeDSecureFallback,
  { merchantAccountId, transactionId, operationId, details, challengeExpiresAt, merchantProfile }: Payment,
  { source, outcome }: Decided,
): Promise<StartedAuthentication> {
  const came = authenticationOf(outcome, details.cardScheme);
  const authentication: ThreeDSecure = {
    source,
    amount: details.threeDSecureAmount ?? details.amount,
    method: came.method,
    enrollment: outcome.enrollment,
    result: null,
    status: null,
    challengeResult: outcome.challengeResult,
    fallback,
    data: startedData(app.ids, outcome),
  };
  const eventId = app.ids.uuid();
  if (came.method === 'challenge') {
    const token = await approvalTokenOf(app, { merchantAccountId, id: operationId });
    const challenge = { token, url: approvalAddressOf(app, token), expiresAt: challengeExpiresAt };
    return {
      threeDSecure: authentication,
      steps: stepsOf(app.ids, authentication, merchantProfile),
      eventId,
      challenge,
    };
  }
  const cavv = await cavvOf(app.vault, merchantAccountId, transactionId);
  const threeDSecure = concluded(authentication, came, cavv);
  return { threeDSecure, steps: stepsOf(app.ids, threeDSecure, merchantProfile), eventId, challenge: null };
}
