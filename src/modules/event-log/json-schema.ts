/** A JSON Schema, or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export const TEXT: JsonSchema = { type: 'string' };
export const TEXT_OR_NULL: JsonSchema = { type: ['string', 'null'] };
export const FLAG: JsonSchema = { type: 'boolean' };
export const UUID: JsonSchema = { type: 'string', format: 'uuid' };
export const UUID_OR_NULL: JsonSchema = { type: ['string', 'null'], format: 'uuid' };
export const MOMENT: JsonSchema = { type: 'string', format: 'date-time' };
export const MOMENT_OR_NULL: JsonSchema = { type: ['string', 'null'], format: 'date-time' };
export const MINOR_UNITS: JsonSchema = {
  type: 'integer',
  minimum: 0,
  description: 'Minor units of `currency`.',
};
export const SIGNED_UNITS: JsonSchema = { type: 'integer', description: 'Minor units of `currency`.' };
export const DAY: JsonSchema = { type: 'string', format: 'date' };
export const CURRENCY: JsonSchema = { type: 'string', pattern: '^[A-Z]{3}$' };
export const METADATA: JsonSchema = { type: ['object', 'null'] };

/** One of these words. */
export const choice = (...words: readonly string[]): JsonSchema => ({ type: 'string', enum: words });

/** One of these words, or null. */
export const choiceOrNull = (...words: readonly string[]): JsonSchema => ({ enum: [...words, null] });

/** An object that has all of these fields. */
export const complete = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});

/** An object that has all of these fields, or null. */
export const completeOrNull = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  ...complete(properties),
  type: ['object', 'null'],
});
