import type { InputSchemas } from '../../platform/input/input-limits.ts';
import { activateInput, createRuleSetInput, createVersionInput } from './input/rules.ts';
import { createValueSetInput, updateValueSetInput } from './input/value-sets.ts';

/** The schemas that check this module's inputs, by the names of their types in the contract. */
export const routingInputSchemas = (): InputSchemas => ({
  CreateRoutingRuleSetInput: createRuleSetInput,
  CreateRoutingRuleSetVersionInput: createVersionInput,
  ActivateRoutingRuleSetInput: activateInput,
  CreateRoutingValueSetInput: createValueSetInput,
  // Texts have the widest form of the kinds.
  UpdateRoutingValueSetInput: updateValueSetInput('text'),
});
