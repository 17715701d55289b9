import type { App, Viewer } from '../../../app.ts';
import {
  decide,
  findActiveRouting,
  rememberedVersion,
  trace,
  type Decision,
  type RoutingDecision,
  type RoutingFacts,
  type TracedRule,
} from '../../routing/index.ts';
import type { Transaction } from '../model/transaction.ts';

/** The decision of the merchant's own rules about a payment, with the conditions behind it. */
export type ExplainedDecision = {
  readonly versionId: string;
  /** The position of the rule. Null: no rule held, so the order of positions decided. */
  readonly rule: number | null;
  readonly ruleName: string | null;
  readonly refusalCode: string | null;
  readonly draw: number | null;
  readonly share: number | null;
  readonly threeDSecureRequest: 'always' | 'never' | null;
  /** The rules up to the one that decided. Null if a later change of the payment leads to another rule. */
  readonly rules: readonly TracedRule[] | null;
};

/** Explains the decision about a stored payment by the version of that time. Null if no rules decided. */
export async function explainRoutingDecision(
  app: App,
  { merchantAccountId }: Viewer,
  transaction: Transaction,
): Promise<ExplainedDecision | null> {
  // A result stored by an earlier release has no such column.
  const { routing }: Partial<Pick<Transaction, 'routing'>> = transaction;
  if (!routing) return null;
  const { versionId, rule, draw, threeDSecure } = routing;
  const compiled = await rememberedVersion(app, merchantAccountId, versionId);
  const rules = trace(compiled, factsThen(transaction, routing));
  const deciding = rules.find(({ holds }) => holds)?.position ?? null;
  return {
    ...{ versionId, rule, ruleName: rule === null ? null : (compiled.version.rules[rule - 1]?.name ?? null) },
    ...{ refusalCode: null, draw: draw?.number ?? null, share: draw?.share ?? null },
    threeDSecureRequest: threeDSecure,
    rules: deciding === rule ? rules : null,
  };
}

/** Decides about a payment that is only described. Null without an active version. */
export async function explainDecisionNow(
  app: App,
  viewer: Viewer,
  facts: RoutingFacts,
): Promise<{ readonly decision: Decision; readonly explained: ExplainedDecision } | null> {
  const activation = await findActiveRouting(app, viewer);
  if (!activation?.versionId) return null;
  const compiled = await rememberedVersion(app, viewer.merchantAccountId, activation.versionId);
  const decision = decide(compiled, facts);
  const { versionId, rule, route, draw, threeDSecure } = decision;
  const explained = {
    ...{ versionId, rule: rule?.position ?? null, ruleName: rule?.name ?? null },
    refusalCode: route.kind === 'refuse' ? route.code : null,
    ...{ draw: draw?.number ?? null, share: draw?.share ?? null, threeDSecureRequest: threeDSecure },
    rules: trace(compiled, facts),
  };
  return { decision, explained };
}

/** Returns the facts of a stored payment as they were at its decision. Metadata and identifier are those of today. */
function factsThen(payment: Transaction, { decidedAt, threeDSecure }: RoutingDecision): RoutingFacts {
  const { id, buyerId, amount, currency, country, method, instrumentType, paymentSource } = payment;
  const { merchantInitiated, isSubsequentPayment, paymentMethodId, store, metadata } = payment;
  const isStored = paymentMethodId !== null && !store;
  // The provider tells the card of a wallet, and that of a token, after the decision.
  const isKnown = isStored || instrumentType === 'pan' || instrumentType === 'network_token';
  return {
    ...{ paymentId: payment.paymentLinkId ?? id, buyerId, amount, currency, country },
    ...{ method, instrument: instrumentType },
    scheme: isKnown ? payment.cardScheme : null,
    bin: isKnown ? payment.cardBin : null,
    ...{ paymentSource, merchantInitiated, isSubsequentPayment, isStored, stores: store },
    ...{ hasGiftCards: payment.giftCardAmount > 0, installmentCount: payment.installmentCount ?? 1 },
    threeDSecureRequest: threeDSecure === null ? payment.threeDSecureRequest : 'automatic',
    hasThreeDSecureData: payment.threeDSecure?.source === 'external',
    ...{ metadata, externalIdentifier: payment.externalIdentifier, at: new Date(decidedAt) },
  };
}
