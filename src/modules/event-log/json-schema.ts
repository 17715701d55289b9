/** A JSON Schema, or a part of one. `Value` is the type of the values that fit the schema. */
export type JsonSchema<Value = unknown> = Readonly<Record<string, unknown>> & { readonly [value]?: Value };

/** No schema has this key. The compiler remembers the type of the values by it. */
declare const value: unique symbol;

/** The type of the values that fit a schema. */
export type ValueOf<Schema extends JsonSchema> = Schema extends JsonSchema<infer Value> ? Value : never;

export const TEXT: JsonSchema<string> = { type: 'string' };
export const TEXT_OR_NULL: JsonSchema<string | null> = { type: ['string', 'null'] };
export const FLAG: JsonSchema<boolean> = { type: 'boolean' };
export const UUID: JsonSchema<string> = { type: 'string', format: 'uuid' };
export const UUID_OR_NULL: JsonSchema<string | null> = { type: ['string', 'null'], format: 'uuid' };
export const MOMENT: JsonSchema<string> = { type: 'string', format: 'date-time' };
export const MOMENT_OR_NULL: JsonSchema<string | null> = { type: ['string', 'null'], format: 'date-time' };
export const MINOR_UNITS: JsonSchema<number> = {
  type: 'integer',
  minimum: 0,
  description: 'Minor units of `currency`.',
};
export const SIGNED_UNITS: JsonSchema<number> = {
  type: 'integer',
  description: 'Minor units of `currency`.',
};
export const DAY: JsonSchema<string> = { type: 'string', format: 'date' };
export const CURRENCY: JsonSchema<string> = { type: 'string', pattern: '^[A-Z]{3}$' };
export const METADATA: JsonSchema<Readonly<Record<string, unknown>> | null> = { type: ['object', 'null'] };
export const TEXTS: JsonSchema<readonly string[]> = { type: 'array', items: TEXT };

/** A whole number that is not negative. */
export const COUNT: JsonSchema<number> = { type: 'integer', minimum: 0 };

export const COUNT_OR_NULL: JsonSchema<number | null> = { type: ['integer', 'null'], minimum: 1 };

/** This word and no other. */
export const constant = <const Word extends string>(word: Word): JsonSchema<Word> => ({ const: word });

/** One of these words. */
export const choice = <const Words extends readonly string[]>(
  ...words: Words
): JsonSchema<Words[number]> => ({
  type: 'string',
  enum: words,
});

/** One of these words, or null. */
export const choiceOrNull = <const Words extends readonly string[]>(
  ...words: Words
): JsonSchema<Words[number] | null> => ({ enum: [...words, null] });

type Properties = Readonly<Record<string, JsonSchema>>;
type Complete<Fields extends Properties> = { readonly [Key in keyof Fields]: ValueOf<Fields[Key]> };

/** An object that has all of these fields. */
export const complete = <Fields extends Properties>(properties: Fields): JsonSchema<Complete<Fields>> => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});

/** An object that has all of these fields, or null. */
export const completeOrNull = <Fields extends Properties>(
  properties: Fields,
): JsonSchema<Complete<Fields> | null> => ({ ...complete(properties), type: ['object', 'null'] });

/** A list of values that fit one schema, or null. */
export const listOrNull = <Item extends JsonSchema>(
  items: Item,
): JsonSchema<readonly ValueOf<Item>[] | null> => ({ type: ['array', 'null'], items });
