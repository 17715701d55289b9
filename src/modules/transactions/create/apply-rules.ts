import type { App } from '../../../app.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { servedMethod, type Candidate } from '../../payment-services/index.ts';
import {
  arrange,
  decide,
  FIRST_ATTEMPT,
  decidingVersion,
  type Decision,
  type RoutingDecision,
  type RoutingFacts,
  type Ruling,
} from '../../routing/index.ts';
import type { SplitTender } from '../authorize/split-tender/split-tender.ts';
import type { CreateTransactionInput } from '../input/inputs.ts';
import type { RefusedByRoutingRule } from '../model/refusals.ts';
import type { ThreeDSecureRequest } from '../model/three-d-secure.ts';
import { cardColumns } from '../instrument/card-columns.ts';

/** The part of a payment that rules see before the payment is stored. */
export type Ruled = {
  readonly transactionId: string;
  /** The payment link that the payment pays. Null for a payment through the API. */
  readonly paymentLinkId: string | null;
  readonly input: Pick<
    CreateTransactionInput,
    | 'amount'
    | 'currency'
    | 'externalIdentifier'
    | 'installmentCount'
    | 'isSubsequentPayment'
    | 'merchantInitiated'
    | 'metadata'
    | 'paymentSource'
    | 'store'
    | 'threeDSecureData'
    | 'threeDSecureRequest'
  >;
  readonly tender: SplitTender;
};

/** The services that a payment asks, and its wish for an authentication. */
export type RuledRoute<Service> = {
  /** The services that the first attempt may ask, best first. */
  readonly services: readonly Service[];
  /** The services that some attempt may ask, by position. */
  readonly accepting: readonly Service[];
  /** The rules that order the services at each further attempt. Null: they are asked by position. */
  readonly ruling: Ruling | null;
  readonly threeDSecureRequest: ThreeDSecureRequest;
  readonly routing: RoutingDecision | null;
};

/**
 * Puts the services that accept a payment in the order of the account's active version. Without one, the order of positions stays. A
 * request that names its service passes the rules by. The same version and figures decide about further attempts. Reads a
 * version and a snapshot of figures once in each process.
 */
export async function applyRules(
  app: App,
  { merchantAccountId, versionId, figuresId }: Deciding,
  ruled: Ruled,
  candidates: readonly Candidate[],
): Promise<Result<RuledRoute<Candidate>, RefusedByRoutingRule>> {
  const { threeDSecureRequest } = ruled.input;
  if (versionId === null || passesBy(ruled)) return ok({ ...unruled(candidates), threeDSecureRequest });
  const version = await decidingVersion(app, merchantAccountId, { versionId, figuresId });
  const facts = factsOf(ruled, app.clock.now());
  const decision = decide(version, facts);
  const { route, rule } = decision;
  if (route.kind === 'refuse')
    return refuse({ kind: 'RefusedByRoutingRule', ruleCode: route.code, ruleName: rule?.name ?? '' });
  const wish = wishOf(decision, facts);
  const services = servicesOf(decision, facts, candidates);
  const accepting = withWish(wish, candidates);
  return ok({
    services,
    accepting,
    ruling: { version, facts },
    threeDSecureRequest: wish ?? threeDSecureRequest,
    routing: {
      versionId,
      decidedAt: facts.at.toISOString(),
      rule: rule?.position ?? null,
      draw: decision.draw,
      ...(decision.compared && { compared: decision.compared }),
      threeDSecure: wish,
    },
  });
}

/** The version of rules that decides, and the latest figures. Null without one. */
type Deciding = {
  readonly merchantAccountId: string;
  readonly versionId: string | null;
  readonly figuresId: string | null;
};

const unruled = (candidates: readonly Candidate[]) => ({
  ...{ services: candidates, accepting: candidates, ruling: null, routing: null },
});

/**
 * True if the rules do not decide about a payment. Gift cards that pay alone go to the only service for gift cards. A payment link
 * names the service of a debit or a wallet, which the rules have chosen.
 */
const passesBy = ({ paymentLinkId, tender }: Ruled): boolean =>
  tender.paymentServiceId !== null && (paymentLinkId === null || tender.instrumentType === null);

/** Keeps the services that a decision lets a payment ask, best first. */
export function servicesOf<Service extends Pick<Candidate, 'id' | 'threeDSecureEnabled'>>(
  decision: Decision,
  facts: RoutingFacts,
  candidates: readonly Service[],
): readonly Service[] {
  return arrange(decision.route, withWish(wishOf(decision, facts), candidates));
}

/** Leaves out the services that cannot carry out a wish for an authentication. */
const withWish = <Service extends Pick<Candidate, 'threeDSecureEnabled'>>(
  wish: Decision['threeDSecure'],
  candidates: readonly Service[],
): readonly Service[] =>
  wish === 'always' ? candidates.filter(({ threeDSecureEnabled }) => threeDSecureEnabled) : candidates;

/**
 * Returns the wish of a rule for the authentication of a payment, or null if the wish does not apply. The payment's own wish comes
 * first. Only cards are authenticated, and only if their buyer is present.
 */
export function wishOf({ threeDSecure }: Decision, facts: RoutingFacts): Decision['threeDSecure'] {
  if (facts.threeDSecureRequest !== 'automatic' || facts.hasThreeDSecureData) return null;
  if (threeDSecure === 'never') return servedMethod(facts.method) === 'card' ? 'never' : null;
  const isAbsent = facts.merchantInitiated || facts.paymentSource === 'moto';
  return facts.instrument === 'pan' && !isAbsent ? threeDSecure : null;
}

function factsOf({ transactionId, paymentLinkId, input, tender }: Ruled, at: Date): RoutingFacts {
  const { buyerId, country, method, instrumentType, stored, giftCardAmount } = tender;
  const { cardScheme, cardBin } = cardColumns(tender, null);
  return {
    // Each try to pay a link draws the same number.
    ...{ paymentId: paymentLinkId ?? transactionId, buyerId, country },
    ...{ amount: input.amount, currency: input.currency },
    ...{ method, instrument: instrumentType, scheme: cardScheme, bin: cardBin },
    ...{ paymentSource: input.paymentSource, merchantInitiated: input.merchantInitiated },
    ...{ isSubsequentPayment: input.isSubsequentPayment, isStored: stored !== null, stores: input.store },
    ...{ hasGiftCards: giftCardAmount > 0, installmentCount: input.installmentCount ?? 1 },
    threeDSecureRequest: input.threeDSecureRequest,
    hasThreeDSecureData: input.threeDSecureData !== null,
    ...{ metadata: input.metadata, externalIdentifier: input.externalIdentifier, at, ...FIRST_ATTEMPT },
  };
}
