import { oncePer } from '../../../platform/database/once-per.ts';
import { compileCondition, type CompiledCondition } from './condition.ts';
import type { RoutingFacts } from './facts.ts';
import type { Rule, RuleSetVersion } from './rule.ts';

/** A version in the form that each payment asks. */
export type CompiledVersion = {
  readonly version: RuleSetVersion;
  readonly rules: readonly CompiledRule[];
};

export type CompiledRule = {
  readonly rule: Rule;
  readonly conditions: readonly CompiledCondition[];
};

/** Compiles a version, once for each object. */
export const compileVersion: (version: RuleSetVersion) => CompiledVersion = oncePer((version) => ({
  version,
  rules: version.rules.map((rule) => ({ rule, conditions: rule.conditions.map(compileCondition) })),
}));

export const matches = ({ conditions }: CompiledRule, facts: RoutingFacts): boolean =>
  conditions.every(({ holds }) => holds(facts));
