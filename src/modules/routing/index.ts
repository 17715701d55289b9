export { arrange, decide, type Decision, type RoutingDecision } from './model/decide.ts';
export type { ComparedService, Comparison } from './figures/comparison.ts';
export type { Warning } from './model/check.ts';
export { countFigures, type PastOutcomes, type SettledFees } from './figures/count.ts';
export { compileFigures, type Figures } from './figures/figures.ts';
export { comparesCosts, needsFigures, periodsOf } from './figures/needs.ts';
export { wilson } from './figures/wilson.ts';
export type { CompiledVersion } from './model/compile.ts';
export { FIRST_ATTEMPT, type RoutingFacts } from './model/facts.ts';
export { decideNext, type Ruling } from './decide-next.ts';
export { foresee, type ForeseenPayment, type OpenFact } from './foresee.ts';
export { trace, type TracedCondition, type TracedRule } from './model/trace.ts';
export type { Action, Condition, CostAction, Question, Rule, Test } from './model/rule.ts';
export type { ActivateInput, CreateRuleSetInput } from './input/rules.ts';
export { activateRoutingRuleSet } from './rule-sets/activate.ts';
export { cancelRoutingActivation, type RoutingActivationBegun } from './rule-sets/cancel-activation.ts';
export { createRoutingRuleSet } from './rule-sets/create.ts';
export { createRoutingRuleSetVersion } from './rule-sets/create-version.ts';
export {
  findActiveRouting,
  findRoutingRuleSets,
  findRoutingRuleSetVersions,
  findRoutingValueSets,
  findRoutingVersionHeads,
} from './rule-sets/find.ts';
export {
  listRoutingActivations,
  listRoutingRuleSets,
  listRoutingRuleSetVersions,
  listRoutingValueSets,
} from './rule-sets/list.ts';
export type { Activation, RuleSet, StoredVersion, VersionHead } from './model/rule-set.ts';
export { createRoutingValueSet } from './value-sets/create.ts';
export { updateRoutingValueSet } from './value-sets/update.ts';
export type { ValueSet } from './model/value-set.ts';
export { rangeOf } from './input/value-sets.ts';
export { routingInputSchemas } from './input-schemas.ts';
export { decidingVersion, rememberedVersion } from './remembered-version.ts';
export { prepareVersion } from './prepare-version.ts';
export { findDecidingVersions, findLatestFiguresId } from './deciding-versions.ts';
