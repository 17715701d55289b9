import type { InputSchemas } from '../../../platform/input/input-limits.ts';
import { createSchema, updateSchema } from './input.ts';
import { verifyCredentialsSchema } from '../connection/verify-credentials.ts';

/** The schemas that check this module's inputs, by the names of their types in the contract. */
export const serviceInputSchemas = (): InputSchemas => ({
  CreatePaymentServiceInput: createSchema,
  UpdatePaymentServiceInput: updateSchema,
  VerifyCredentialsInput: verifyCredentialsSchema,
});
