import { unreachable } from '../../../kernel/result.ts';
import { orderByCost } from '../figures/by-cost.ts';
import { orderBySuccess } from '../figures/by-success.ts';
import type { ComparedOrder, Comparison } from '../figures/comparison.ts';
import type { CompiledFigures } from '../figures/figures.ts';
import { findRule, type CompiledVersion } from './compile.ts';
import { drawOf, othersAt, shareAt } from './draw.ts';
import type { AttemptFacts, RoutingFacts } from './facts.ts';
import type { Action, CostAction, Rule, ServiceOrder, SplitAction, SuccessAction } from './rule.ts';

/** The decision of a version about a payment. The same version, facts and figures always give the same decision. */
export type Decision = {
  readonly versionId: string;
  /** The rule that decides. Null: no rule holds, so the order of positions decides. */
  readonly rule: { readonly position: number; readonly name: string } | null;
  readonly route: Route;
  readonly threeDSecure: Rule['threeDSecure'];
  readonly draw: Draw | null;
  /** The services that the rule compared. Null for a rule that compares none. */
  readonly compared: Comparison | null;
};

/** A draw of 0 to 999 999, and the position of the share of a split that it fell into. A rule by success has no shares. */
export type Draw = { readonly number: number; readonly share: number | null };

/** The decision of the merchant's own rules about a payment, as stored with the transaction. */
export type RoutingDecision = {
  readonly versionId: string;
  /** The moment of the decision, as ISO text. */
  readonly decidedAt: string;
  /** The position of the rule that decided. Null: no rule held, so the order of positions decided. */
  readonly rule: number | null;
  /** Null without a rule that draws. */
  readonly draw: Draw | null;
  /** The services that a rule by success or by cost compared. Absent for another rule. */
  readonly compared?: Comparison;
  /** The wish for an authentication that the rule gave the payment. Null if the payment kept its own. */
  readonly threeDSecure: 'always' | 'never' | null;
  /** The decisions about further attempts, in their order. Absent without one. */
  readonly retries?: readonly RetryDecision[];
};

/** The decision about a further attempt, with the facts of the attempt. The other facts are those of the first decision. */
export type RetryDecision = AttemptFacts & Pick<RoutingDecision, 'rule' | 'draw' | 'compared'>;

/** The way of a payment through the services that accept it. */
export type Route =
  | (ServiceOrder & { readonly kind: 'order' })
  | { readonly kind: 'positions' }
  | { readonly kind: 'refuse'; readonly code: string };

type Carried = Pick<Decision, 'route' | 'draw' | 'compared'>;

const BY_POSITION: Carried = { route: { kind: 'positions' }, draw: null, compared: null };

/** Decides about a payment by the first rule that holds, and by the figures that come with the version. Reads nothing else. */
export const decide = (compiled: CompiledVersion, facts: RoutingFacts): Decision =>
  decideBy(compiled, findRule(compiled, facts), facts);

/** Decides about a payment by the rule at an index. No rule is there: the order of positions decides. */
export function decideBy(
  { version, figures }: CompiledVersion,
  index: number,
  facts: RoutingFacts,
): Decision {
  const rule = version.rules[index];
  if (!rule) return { versionId: version.id, rule: null, threeDSecure: null, ...BY_POSITION };
  const { name, action, threeDSecure } = rule;
  const draw = () =>
    drawOf({ ruleSetId: version.ruleSetId, name }, (facts.buyerId ?? facts.paymentId).toLowerCase());
  return {
    ...{ versionId: version.id, rule: { position: index + 1, name }, threeDSecure },
    ...carryOut(action, { facts, figures, draw }),
  };
}

type Given = {
  readonly facts: RoutingFacts;
  readonly figures: CompiledFigures | null;
  readonly draw: () => number;
};

function carryOut(action: Action, given: Given): Carried {
  switch (action.kind) {
    case 'order':
    case 'positions':
    case 'refuse':
      return { route: action, draw: null, compared: null };
    case 'split':
      return carryOutSplit(action, given.draw());
    case 'bySuccess':
      return carryOutBySuccess(action, given);
    case 'byCost':
      return carryOutByCost(action, given);
    default:
      return unreachable(action);
  }
}

function carryOutSplit({ shares }: SplitAction, number: number): Carried {
  const index = shareAt(
    shares.map(({ weight }) => weight),
    number,
  );
  const share = shares[index];
  if (!share) throw new Error(`The draw ${number} is in no share.`);
  const { paymentServiceIds, onlyThese } = share;
  return {
    route: { kind: 'order', paymentServiceIds, onlyThese },
    draw: { number, share: index + 1 },
    compared: null,
  };
}

/** Lets the kept share of the payments try the services behind the best one, in equal parts. */
function carryOutBySuccess(action: SuccessAction, { facts, figures, draw }: Given): Carried {
  const { keepShare, onlyThese } = action;
  const ordered = orderBySuccess(action, facts, figures);
  const number = keepShare > 0 ? draw() : null;
  const [best] = ordered.paymentServiceIds;
  // In the listed order, a buyer keeps the tried service until another service is the best.
  const others = action.paymentServiceIds.filter((id) => id !== best);
  const tried = number === null ? undefined : others[othersAt(others.length, keepShare, number)];
  const paymentServiceIds =
    tried === undefined
      ? ordered.paymentServiceIds
      : [tried, ...ordered.paymentServiceIds.filter((id) => id !== tried)];
  return {
    route: { kind: 'order', paymentServiceIds, onlyThese },
    draw: number === null ? null : { number, share: null },
    compared: comparison('success', { ordered, figures, trial: tried !== undefined }),
  };
}

function carryOutByCost(action: CostAction, { facts, figures }: Given): Carried {
  const ordered = orderByCost(action, facts, figures);
  const { paymentServiceIds } = ordered;
  return {
    route: { kind: 'order', paymentServiceIds, onlyThese: action.onlyThese },
    draw: null,
    compared: comparison('cost', { ordered, figures, trial: false }),
  };
}

const comparison = (
  by: Comparison['by'],
  {
    ordered,
    figures,
    trial,
  }: { readonly ordered: ComparedOrder; readonly trial: boolean } & Pick<Given, 'figures'>,
): Comparison => ({ by, figures: figures?.figures ?? null, services: ordered.services, trial });

/**
 * Puts the services that accept a payment in the order of a route. A rule orders or narrows them, and adds none. The
 * candidates come in the order of their positions.
 */
export function arrange<Candidate extends { readonly id: string }>(
  route: Route,
  candidates: readonly Candidate[],
): readonly Candidate[] {
  switch (route.kind) {
    case 'positions':
      return candidates;
    case 'refuse':
      return [];
    case 'order': {
      const named = route.paymentServiceIds.flatMap((id) => candidates.filter((each) => each.id === id));
      if (route.onlyThese) return named;
      return [...named, ...candidates.filter(({ id }) => !route.paymentServiceIds.includes(id))];
    }
    default:
      return unreachable(route);
  }
}
