import { oncePer } from '../../../platform/database/once-per.ts';
import type { CompiledFigures } from '../figures/figures.ts';
import { compileCondition, type CompiledCondition } from './condition.ts';
import type { RoutingFacts } from './facts.ts';
import { needsFigures } from '../figures/needs.ts';
import type { Condition, Rule, RuleSetVersion } from './rule.ts';

/** A version in the form that each payment asks. */
export type CompiledVersion = {
  readonly version: RuleSetVersion;
  readonly rules: readonly CompiledRule[];
  /** The different conditions of all rules. */
  readonly conditions: readonly CompiledCondition[];
  /** The figures that rules by success and by cost compare. Null without such a rule, and before the first figures. */
  readonly figures: CompiledFigures | null;
  /** True with a rule by success or by cost. */
  readonly needsFigures: boolean;
};

export type CompiledRule = {
  readonly rule: Rule;
  /** The places of the rule's conditions among all. Rules share their equal conditions. */
  readonly places: readonly number[];
};

/** Compiles a version without figures, once for each object. */
export const compileVersion: (version: RuleSetVersion) => CompiledVersion = oncePer((version) => {
  const conditions: CompiledCondition[] = [];
  const known = new Map<string, number>();
  const placeOf = (condition: Condition): number => {
    const text = JSON.stringify(condition);
    const place = known.get(text) ?? conditions.push(compileCondition(condition)) - 1;
    known.set(text, place);
    return place;
  };
  const rules = version.rules.map((rule) => ({ rule, places: rule.conditions.map(placeOf) }));
  return { version, rules, conditions, figures: null, needsFigures: needsFigures(version.rules) };
});

const [UNASKED, HOLDS, FAILS] = [0, 1, 2];

/** Returns the index of the first rule that holds, or -1. Asks each different condition at most once. */
export function findRule({ rules, conditions }: CompiledVersion, facts: RoutingFacts): number {
  const answers = new Uint8Array(conditions.length);
  const holds = (place: number): boolean => {
    if (answers[place] === UNASKED) answers[place] = conditions[place]?.holds(facts) ? HOLDS : FAILS;
    return answers[place] === HOLDS;
  };
  return rules.findIndex(({ places }) => places.every(holds));
}
