export { paymentCard, type PaymentCard } from './card.ts';
export { cavvOf } from './cavv.ts';
export { createThreeDSScenario } from './scenarios/create.ts';
export {
  decideThreeDS,
  type ConditionName,
  type PassedOver,
  type PaymentFacts,
  type ThreeDSDecision,
  type ThreeDSRule,
} from './decide.ts';
export { deleteThreeDSScenario } from './scenarios/delete.ts';
export { explainThreeDSScenario, type ThreeDSExplanation } from './scenarios/explain.ts';
export { findThreeDSScenarios } from './scenarios/find.ts';
export {
  threeDSDataV1,
  threeDSDataV2,
  type ThreeDSDataV1,
  type ThreeDSDataV2,
} from './input/external-data.ts';
export type {
  CreateThreeDSScenarioInput,
  ExplainThreeDSScenarioInput,
  UpdateThreeDSScenarioInput,
} from './input/scenario.ts';
export { listThreeDSScenarios } from './scenarios/list.ts';
export { moveThreeDSScenario, type PlacementInput } from './scenarios/reorder.ts';
export {
  authenticationOf,
  RESULTS,
  VERSION_DEFAULT,
  type Authenticated,
  type Authentication,
  type ChallengeResult,
  type Enrollment,
  type FinalResult,
  type ThreeDSMethod,
  type ThreeDSOutcome,
  type ThreeDSStatus,
} from './outcome.ts';
export { refusedInProduction, type SandboxOnly } from './sandbox.ts';
export type { ThreeDSConditions, ThreeDSScenario } from './scenario.ts';
export { readScenarios } from './store.ts';
export { testCardOutcome } from './test-cards.ts';
export { updateThreeDSScenario } from './scenarios/update.ts';
export { scenarioInputSchemas } from './input-schemas.ts';
