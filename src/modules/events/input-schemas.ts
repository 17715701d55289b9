import type { App } from '../../app.ts';
import type { InputSchemas } from '../../platform/input/input-limits.ts';
import { createInput, updateInput } from './endpoints/input.ts';

/** The schemas that check this module's inputs, by the names of their types in the contract. */
export const endpointInputSchemas = ({ http }: Pick<App, 'http'>): InputSchemas => ({
  CreateWebhookEndpointInput: createInput(http),
  UpdateWebhookEndpointInput: updateInput(http),
});
