import type { App, Viewer } from '../../../app.ts';
import {
  decide,
  decidingVersion,
  findActiveRouting,
  findLatestFiguresId,
  rememberedVersion,
  trace,
  type Comparison,
  type CompiledVersion,
  type Decision,
  type RoutingDecision,
  type RoutingFacts,
  type TracedCondition,
  type TracedRule,
} from '../../routing/index.ts';
import type { CircuitDecision } from '../../payment-services/index.ts';
import type { Transaction } from '../model/transaction.ts';
import { factsThen } from './facts-then.ts';

/** The decision of the merchant's own rules about a payment, with the conditions behind it. */
export type ExplainedDecision = {
  readonly versionId: string;
  /** The position of the rule. Null: no rule held, so the order of positions decided. */
  readonly rule: number | null;
  readonly ruleName: string | null;
  readonly refusalCode: string | null;
  readonly draw: number | null;
  readonly share: number | null;
  /** The services that the rule compared. Null unless the rule is by success or by cost. */
  readonly compared: Comparison | null;
  readonly threeDSecureRequest: 'always' | 'never' | null;
  /** The rules up to the one that decided. Null if a later change of the payment leads to another rule. */
  readonly rules: readonly TracedRule[] | null;
  /** The decisions about further attempts, in their order. */
  readonly retries: readonly ExplainedRetry[];
};

/** The decision about a further attempt. */
export type ExplainedRetry = Pick<ExplainedDecision, 'rule' | 'ruleName' | 'draw' | 'share' | 'compared'> & {
  /** 2 for the second service that the payment asked. */
  readonly attempt: number;
  /** The conditions of the rule. Null if a later change of the payment leads to another rule. */
  readonly conditions: readonly TracedCondition[] | null;
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
  const { versionId, threeDSecure, retries = [] } = routing;
  const compiled = await rememberedVersion(app, merchantAccountId, versionId);
  const facts = thenOf(transaction, routing);
  return {
    ...{ versionId, refusalCode: null, threeDSecureRequest: threeDSecure },
    ...stored(compiled, routing),
    rules: traceStored(compiled, facts, routing),
    retries: retries.map(({ rule, draw, compared, ...attempt }) => {
      const rules = traceStored(compiled, { ...facts, ...attempt }, { rule });
      const conditions = rules && (rules.find(({ holds }) => holds)?.conditions ?? []);
      return {
        attempt: attempt.attempt,
        ...stored(compiled, { rule, draw, ...(compared && { compared }) }),
        conditions,
      };
    }),
  };
}

/** Returns the effect of circuits on a stored payment. A result stored by an earlier release has no such column. */
export const circuitEffectOf = ({
  circuits,
}: Partial<Pick<Transaction, 'circuits'>>): CircuitDecision | null => circuits ?? null;

type Stored = Pick<RoutingDecision, 'rule' | 'draw'> & { readonly compared?: Comparison | undefined };

const stored = ({ version }: CompiledVersion, { rule, draw, compared }: Stored) => ({
  ...{ rule, ruleName: rule === null ? null : (version.rules[rule - 1]?.name ?? null) },
  ...{ draw: draw?.number ?? null, share: draw?.share ?? null, compared: compared ?? null },
});

/** Traces a stored decision. Null if the facts now lead to another rule. */
function traceStored(
  compiled: CompiledVersion,
  facts: RoutingFacts,
  { rule }: Pick<Stored, 'rule'>,
): readonly TracedRule[] | null {
  const rules = trace(compiled, facts);
  const deciding = rules.find(({ holds }) => holds)?.position ?? null;
  return deciding === rule ? rules : null;
}

/** Decides about a payment that is only described, as for a payment with the viewer's key. Null without an active version. */
export async function explainDecisionNow(
  app: App,
  viewer: Viewer,
  facts: RoutingFacts,
): Promise<{ readonly decision: Decision; readonly explained: ExplainedDecision } | null> {
  const activation = await findActiveRouting(app, viewer, viewer.apiKeyPairId);
  if (!activation?.versionId) return null;
  const { merchantAccountId } = viewer;
  const { versionId: deciding } = activation;
  const figuresId = await findLatestFiguresId(app, merchantAccountId);
  const compiled = await decidingVersion(app, merchantAccountId, { versionId: deciding, figuresId });
  const decision = decide(compiled, facts);
  const { versionId, rule, route, draw, compared, threeDSecure } = decision;
  const explained = {
    ...{ versionId, rule: rule?.position ?? null, ruleName: rule?.name ?? null },
    refusalCode: route.kind === 'refuse' ? route.code : null,
    ...{ draw: draw?.number ?? null, share: draw?.share ?? null, compared },
    threeDSecureRequest: threeDSecure,
    rules: trace(compiled, facts),
    retries: [],
  };
  return { decision, explained };
}

const thenOf = (transaction: Transaction, { decidedAt }: RoutingDecision): RoutingFacts =>
  factsThen(
    { ...transaction, threeDSecureSource: transaction.threeDSecure?.source ?? null },
    new Date(decidedAt),
  );
