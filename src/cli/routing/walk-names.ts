import { isObject } from '../../kernel/json.ts';
import type { Json } from './file.ts';

/** The facts that name a value set, and the kind that each needs. */
export type SharedFact = 'countryIn' | 'binIn' | 'metadataIn';

/** Replaces the names in rules. */
export type Renaming = {
  /** Returns the part of an order that names its services. */
  readonly services: (order: Json) => Json;
  /** Returns the fact for a value set. `name` is the name of an entry of the metadata. */
  readonly valueSet: (fact: SharedFact, valueSet: string, name?: unknown) => Json;
};

/**
 * Returns rules with other names of payment services and value sets. A part in an unknown form stays as it is, because the service
 * refuses it with a sentence.
 */
export const renamed = (rules: readonly Json[], renaming: Renaming): readonly Json[] =>
  rules.map((rule) => ({
    ...rule,
    ...member(rule, 'conditions', (conditions) => each(conditions, (item) => condition(item, renaming))),
    ...member(rule, 'action', (action) => inObject(action, (given) => actionOf(given, renaming))),
  }));

const condition = (given: Json, renaming: Renaming): Json => ({
  ...given,
  ...member(given, 'fact', (fact) => inObject(fact, (item) => factOf(item, renaming))),
  ...member(given, 'anyOf', (tests) => each(tests, (test) => condition(test, renaming))),
});

function factOf(fact: Json, renaming: Renaming): Json {
  const { countryIn, binIn, metadataIn } = fact;
  if (typeof countryIn === 'string') return renaming.valueSet('countryIn', countryIn);
  if (typeof binIn === 'string') return renaming.valueSet('binIn', binIn);
  if (!isObject(metadataIn)) return fact;
  const { name, valueSet, valueSetId = valueSet } = metadataIn;
  return typeof valueSetId === 'string' ? renaming.valueSet('metadataIn', valueSetId, name) : fact;
}

const actionOf = (action: Json, { services }: Renaming): Json => ({
  ...action,
  ...member(action, 'order', (order) => inObject(order, services)),
  ...member(action, 'split', (shares) => each(shares, services)),
});

const member = (of: Json, name: string, change: (value: unknown) => unknown): Json =>
  of[name] === undefined ? {} : { [name]: change(of[name]) };

const inObject = (value: unknown, change: (given: Json) => Json): unknown =>
  isObject(value) ? change(value) : value;

const each = (value: unknown, change: (given: Json) => Json): unknown =>
  Array.isArray(value) ? value.map((item) => inObject(item, change)) : value;
