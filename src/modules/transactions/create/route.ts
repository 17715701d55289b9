import type { App } from '../../../app.ts';
import { invalidInput, type InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import {
  explainCandidates,
  findRoute,
  servedMethod,
  type Candidate,
  type CandidateFilter,
  type ConsideredPaymentService,
  type Payee,
} from '../../payment-services/index.ts';
import type { SplitTender } from '../authorize/split-tender/split-tender.ts';
import type { CreateTransactionInput } from '../input/inputs.ts';
import { networkOf } from '../input/card-network.ts';
import { paysByTokenAlone } from '../../payment-methods/index.ts';
import { servicesWithToken } from '../instrument/provider-token.ts';
import { featureOf, isOnlyReadByProvider } from '../model/means.ts';
import type { NoPaymentService, PassedOver, RefusedByRoutingRule } from '../model/refusals.ts';
import { applyRules, type Ruled, type RuledRoute } from './apply-rules.ts';

/** The payment services for a payment, at least one, and the anti-fraud service that screens the payment first. */
export type ChosenRoute = RuledRoute<Candidate> & {
  /** The anti-fraud service. Null when no service screens the payment. */
  readonly antiFraudServiceId: string | null;
};

/** A payment before its route is chosen. */
export type Routed = Ruled & {
  readonly input: Pick<CreateTransactionInput, 'intent' | 'paymentMethod' | 'splits'>;
};

/**
 * Chooses the anti-fraud service and the payment services, by the rules of routing and those of the merchant. A method that only
 * one provider knows goes to that provider. Reads once. Before a refusal it reads with any intent, and then reads the reasons.
 */
export async function chooseRoute(
  app: App,
  payee: Payee,
  routed: Routed,
): Promise<Result<ChosenRoute, NoPaymentService | InvalidInput | RefusedByRoutingRule>> {
  const { merchantAccountId } = payee;
  const { tender } = routed;
  const { threeDSecureRequest, threeDSecureData, paymentMethod, ...payment } = routed.input;
  const { currency, installmentCount, intent, merchantInitiated, splits, store } = payment;
  const { country, paymentServiceId, instrumentType } = tender;
  const filter = {
    ...{ currency, country, paymentServiceId },
    method: servedMethod(tender.method),
    authenticates: threeDSecureRequest === 'always',
    passesThrough: threeDSecureData !== null && instrumentType !== null,
    // Gift cards that pay everything leave nothing to split.
    installmentCount: instrumentType === null ? null : installmentCount,
    // Without a charge of the card, the choice of its network decides nothing.
    cardNetwork: instrumentType === null ? null : networkOf({ paymentMethod }),
    // The services that know a stored method's token are asked, and nobody else.
    means: isKnownByToken(tender) ? null : featureOf(instrumentType, tender.method),
    splits: splits !== null,
    storesToken: store && isOnlyReadByProvider(instrumentType),
    knownTo: await knowingServices(app, { merchantAccountId, merchantInitiated, tender }),
  };
  const { candidates, antiFraudServiceId, routingVersionId, routingFiguresId } = await routeWith(
    app,
    { payee, tender },
    { ...filter, intent },
  );
  const deciding = { merchantAccountId, versionId: routingVersionId, figuresId: routingFiguresId };
  const ruled = await applyRules(app, deciding, routed, candidates);
  if (!ruled.ok) return ruled;
  const { services, accepting } = ruled.value;
  if (services.length === 0) {
    const others = candidates.length > 0 ? null : await routeWith(app, { payee, tender }, filter);
    if (others && others.candidates.length > 0) return refuse(INTENT_NOT_SERVED);
    const leftOut = candidates.map(({ id }) => id);
    const passedOver = await explainRefusal(app, merchantAccountId, { ...filter, intent }, leftOut);
    return refuse({ kind: 'NoPaymentService', passedOver });
  }
  // A merchant-initiated payment has no buyer present, so there is nobody to screen.
  return ok({
    ...ruled.value,
    // The accounts of shares are those of one provider.
    accepting: splits === null ? accepting : [],
    antiFraudServiceId: merchantInitiated ? null : antiFraudServiceId,
  });
}

const INTENT_NOT_SERVED = invalidInput(
  ['input', 'intent'],
  'Must be CAPTURE: no payment service that accepts the payment can capture later (feature delayed_capture).',
);

/**
 * Lists every payment service with its reasons. A service without reasons is left out by a rule, or does not know the stored
 * payment method.
 */
async function explainRefusal(
  app: App,
  merchantAccountId: string,
  filter: CandidateFilter,
  leftOut: readonly string[],
): Promise<readonly PassedOver[]> {
  const { considered } = await explainCandidates(app, merchantAccountId, filter);
  return considered.map(({ paymentServiceId, accepts, reasons }) => ({
    paymentServiceId,
    ...(accepts ? (leftOut.includes(paymentServiceId) ? LEFT_OUT : PAYMENT_METHOD_UNKNOWN) : joined(reasons)),
  }));
}

const LEFT_OUT = {
  codes: ['routing_rule'],
  message: "A rule of the merchant leaves the payment service out of this payment's route.",
} as const;

const PAYMENT_METHOD_UNKNOWN = {
  codes: ['payment_method'],
  message: 'The payment service does not know the stored payment method.',
} as const;

const joined = (reasons: ConsideredPaymentService['reasons']) => ({
  codes: reasons.map(({ code }) => code),
  message: reasons.map(({ message }) => message).join(' '),
});

type Payment = {
  readonly merchantAccountId: string;
  readonly merchantInitiated: boolean;
  readonly tender: SplitTender;
};

/** Lists the services that pay with a token of their own for the stored payment method. */
const knowingServices = (
  app: App,
  { merchantAccountId, merchantInitiated, tender: { instrumentType, stored } }: Payment,
): Promise<readonly string[]> =>
  servicesWithToken(app, {
    ...{ merchantAccountId, merchantInitiated, instrumentType, store: false },
    paymentMethodId: stored?.id ?? null,
  });

const isKnownByToken = ({ instrumentType, stored }: SplitTender): boolean =>
  stored !== null && paysByTokenAlone(instrumentType);

async function routeWith(
  app: App,
  { payee, tender }: { readonly payee: Payee; readonly tender: SplitTender },
  filter: CandidateFilter & { readonly knownTo: readonly string[] },
) {
  const route = await findRoute(app, payee, filter);
  return isKnownByToken(tender)
    ? { ...route, candidates: route.candidates.filter(({ id }) => filter.knownTo.includes(id)) }
    : route;
}
