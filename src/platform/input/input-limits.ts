import { z } from 'zod';

/** The schemas that check inputs, by the names of their types in the contract. */
export type InputSchemas = Readonly<Record<string, z.ZodType>>;

/** A schema of JSON Schema 2020-12. */
export type JsonSchemaOf = Readonly<Record<string, unknown>>;

/** Returns the schema of an input as JSON Schema. Checks between values, and values that are no JSON, are left out. */
export const jsonSchemaOf = (schema: z.ZodType): JsonSchemaOf =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' });
