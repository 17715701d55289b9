import { findRule, type CompiledVersion } from './compile.ts';
import type { CompiledCondition } from './condition.ts';
import type { RoutingFacts } from './facts.ts';
import type { Condition } from './rule.ts';

/** A rule that a payment was held against. */
export type TracedRule = {
  readonly position: number;
  readonly name: string;
  readonly holds: boolean;
  /** All conditions of the rule, not only the first that fails. */
  readonly conditions: readonly TracedCondition[];
};

export type TracedCondition = {
  readonly fact: Condition['fact'];
  readonly not: boolean;
  readonly holds: boolean;
  /** The value that the condition saw. Null for an unknown value, and for `anyOf`. */
  readonly saw: string | null;
  /** The tests of an `anyOf`. */
  readonly tests: readonly TracedCondition[];
};

/** Lists the rules up to the one that decides, with the view of each condition. All rules when none holds. */
export function trace(compiled: CompiledVersion, facts: RoutingFacts): readonly TracedRule[] {
  const deciding = findRule(compiled, facts);
  const tried = deciding === -1 ? compiled.rules : compiled.rules.slice(0, deciding + 1);
  return tried.map(({ rule, places }, index) => {
    const conditions = rule.conditions.flatMap((condition, nth) => {
      const compiledOne = compiled.conditions[places[nth] ?? -1];
      return compiledOne ? [traceCondition(condition, compiledOne, facts)] : [];
    });
    const holds = conditions.every((condition) => condition.holds);
    return { position: index + 1, name: rule.name, holds, conditions };
  });
}

function traceCondition(
  condition: Condition,
  { holds, saw, tests }: CompiledCondition,
  facts: RoutingFacts,
): TracedCondition {
  const inner = condition.fact === 'anyOf' ? condition.tests : [];
  return {
    fact: condition.fact,
    not: condition.not,
    holds: holds(facts),
    saw: saw(facts),
    tests: tests.flatMap((compiled, index) => {
      const test = inner[index];
      return test ? [traceCondition(test, compiled, facts)] : [];
    }),
  };
}
