import { unreachable } from '../../../kernel/result.ts';
import { findRule, type CompiledVersion } from './compile.ts';
import { drawOf, shareAt } from './draw.ts';
import type { AttemptFacts, RoutingFacts } from './facts.ts';
import type { Action, Rule, ServiceOrder } from './rule.ts';

/** The decision of a version about a payment. The same version and facts always give the same decision. */
export type Decision = {
  readonly versionId: string;
  /** The rule that decides. Null: no rule holds, so the order of positions decides. */
  readonly rule: { readonly position: number; readonly name: string } | null;
  readonly route: Route;
  readonly threeDSecure: Rule['threeDSecure'];
  readonly draw: Draw | null;
};

/** The draw of a split, and the share that it fell into. */
export type Draw = { readonly number: number; readonly share: number };

/** The decision of the merchant's own rules about a payment, as stored with the transaction. */
export type RoutingDecision = {
  readonly versionId: string;
  /** The moment of the decision, as ISO text. */
  readonly decidedAt: string;
  /** The position of the rule that decided. Null: no rule held, so the order of positions decided. */
  readonly rule: number | null;
  /** The number that a split drew, 0 to 999 999, and the position of the share. Null without a split. */
  readonly draw: { readonly number: number; readonly share: number } | null;
  /** The wish for an authentication that the rule gave the payment. Null if the payment kept its own. */
  readonly threeDSecure: 'always' | 'never' | null;
  /** The decisions about further attempts, in their order. Absent without one. */
  readonly retries?: readonly RetryDecision[];
};

/** The decision about a further attempt, with the facts of the attempt. The other facts are those of the first decision. */
export type RetryDecision = AttemptFacts & Pick<RoutingDecision, 'rule' | 'draw'>;

/** The way of a payment through the services that accept it. */
export type Route =
  | (ServiceOrder & { readonly kind: 'order' })
  | { readonly kind: 'positions' }
  | { readonly kind: 'refuse'; readonly code: string };

const BY_POSITION: Route = { kind: 'positions' };

/** Decides about a payment by the first rule that holds. Reads nothing but its arguments. */
export const decide = (compiled: CompiledVersion, facts: RoutingFacts): Decision =>
  decideBy(compiled, findRule(compiled, facts), facts);

/** Decides about a payment by the rule at an index. No rule is there: the order of positions decides. */
export function decideBy({ version }: CompiledVersion, index: number, facts: RoutingFacts): Decision {
  const rule = version.rules[index];
  if (!rule) return { versionId: version.id, rule: null, route: BY_POSITION, threeDSecure: null, draw: null };
  const { name, action, threeDSecure } = rule;
  const { route, draw } = carryOut(action, () =>
    drawOf({ ruleSetId: version.ruleSetId, name }, (facts.buyerId ?? facts.paymentId).toLowerCase()),
  );
  return { versionId: version.id, rule: { position: index + 1, name }, route, threeDSecure, draw };
}

function carryOut(action: Action, draw: () => number): Pick<Decision, 'route' | 'draw'> {
  switch (action.kind) {
    case 'order':
    case 'positions':
    case 'refuse':
      return { route: action, draw: null };
    case 'split': {
      const number = draw();
      const index = shareAt(
        action.shares.map(({ weight }) => weight),
        number,
      );
      const share = action.shares[index];
      if (!share) throw new Error(`The draw ${number} is in no share.`);
      const { paymentServiceIds, onlyThese } = share;
      return {
        route: { kind: 'order', paymentServiceIds, onlyThese },
        draw: { number, share: index + 1 },
      };
    }
    default:
      return unreachable(action);
  }
}

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
