import { canonical, isSame, type Action, type Condition, type Rule } from './rule.ts';

/** A change of a value. */
type Change<Value> = { readonly before: Value; readonly after: Value };

/** A difference between two versions. Rules are the same rule if they have the same name. */
export type Difference =
  | { readonly kind: 'added' | 'removed'; readonly rule: Rule; readonly rank: number }
  | { readonly kind: 'moved'; readonly rule: Rule; readonly from: number; readonly to: number }
  | ChangedRule;

/** A rule with other conditions, another action, or another wish. Null: the part is the same. */
export type ChangedRule = {
  readonly kind: 'changed';
  readonly rule: Rule;
  readonly conditionsAdded: readonly Condition[];
  readonly conditionsRemoved: readonly Condition[];
  readonly action: Change<Action> | null;
  readonly threeDSecure: Change<Rule['threeDSecure']> | null;
};

/** Lists the differences of two versions: the gone rules, then the others in their new order. Ranks begin at 1. */
export function differencesOf(before: readonly Rule[], after: readonly Rule[]): readonly Difference[] {
  const placesBefore = new Map(before.map(({ name }, at) => [name, at]));
  const namesAfter = new Set(after.map(({ name }) => name));
  const steady = steadyOf(after.flatMap(({ name }) => placesBefore.get(name) ?? []));
  const gone = before.flatMap((rule, at): readonly Difference[] =>
    namesAfter.has(rule.name) ? [] : [{ kind: 'removed', rule, rank: at + 1 }],
  );
  const others = after.flatMap((rule, at): readonly Difference[] => {
    const from = placesBefore.get(rule.name);
    const former = from === undefined ? undefined : before[from];
    if (from === undefined || !former) return [{ kind: 'added', rule, rank: at + 1 }];
    const moved: readonly Difference[] = steady.has(from)
      ? []
      : [{ kind: 'moved', rule, from: from + 1, to: at + 1 }];
    return [...moved, ...changesOf(former, rule)];
  });
  return [...gone, ...others];
}

function changesOf(before: Rule, after: Rule): readonly ChangedRule[] {
  const { conditions: was = [] } = before;
  const { conditions: is = [] } = after;
  const change: ChangedRule = {
    ...{ kind: 'changed', rule: after },
    conditionsAdded: without(is, was),
    conditionsRemoved: without(was, is),
    action: isSame(before.action, after.action) ? null : { before: before.action, after: after.action },
    threeDSecure:
      (before.threeDSecure ?? null) === (after.threeDSecure ?? null)
        ? null
        : { before: before.threeDSecure, after: after.threeDSecure },
  };
  const isChanged =
    change.conditionsAdded.length + change.conditionsRemoved.length > 0 ||
    change.action !== null ||
    change.threeDSecure !== null;
  return isChanged ? [change] : [];
}

/** Lists the conditions that the others lack. All conditions of a rule must hold, so their order means nothing. */
function without(conditions: readonly Condition[], others: readonly Condition[]): readonly Condition[] {
  const known = new Set(others.map(canonical));
  return conditions.filter((condition) => !known.has(canonical(condition)));
}

/**
 * Returns the most places that stay in order, a longest increasing part of the sequence. The other rules count as moved, so one
 * dragged rule is one difference.
 */
function steadyOf(places: readonly number[]): ReadonlySet<number> {
  const chains: (readonly number[])[] = [];
  for (const place of places) {
    const longest = chains
      .filter((chain) => (chain.at(-1) ?? place) < place)
      .reduce<readonly number[]>((best, chain) => (chain.length > best.length ? chain : best), []);
    chains.push([...longest, place]);
  }
  return new Set(chains.reduce((best, chain) => (chain.length > best.length ? chain : best), []));
}
