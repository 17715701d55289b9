import type { InputSchemas } from '../../platform/input/input-limits.ts';
import { createScenarioInput, updateScenarioInput } from './input/scenario.ts';

/** The schemas that check this module's inputs, by the names of their types in the contract. */
export const scenarioInputSchemas = (): InputSchemas => ({
  CreateThreeDSScenarioInput: createScenarioInput,
  UpdateThreeDSScenarioInput: updateScenarioInput,
});
