import { isObject } from '../../kernel/json.ts';
import type { Json } from './file.ts';

/** The facts that name a value set, and the kind that each needs. */
export type SharedFact = 'countryIn' | 'binIn' | 'metadataIn';

/** Replaces the names in rules. */
export type Renaming = {
  /** Returns the part of an order that names its services. */
  readonly services: (order: Json) => Json;
  /** Returns a price that names its service in the other way. */
  readonly price: (price: Json) => Json;
  /** Returns the other name of a payment service. */
  readonly service: (given: string) => string;
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
  const { countryIn, binIn, metadataIn, formerService } = fact;
  // Another fact beside it must not get lost.
  if (Object.keys(fact).length !== 1) return fact;
  if (typeof countryIn === 'string') return renaming.valueSet('countryIn', countryIn);
  if (typeof binIn === 'string') return renaming.valueSet('binIn', binIn);
  if (isTexts(formerService)) return { formerService: formerService.map(renaming.service) };
  return isObject(metadataIn) ? (sharedMetadata(metadataIn, renaming) ?? fact) : fact;
}

/** Returns the fact for an entry of the metadata in a value set. Null for an unknown member, and for two names of the set. */
function sharedMetadata({ name, ...others }: Json, { valueSet }: Renaming): Json | null {
  const [[member, given] = [], ...more] = Object.entries(others);
  const isNamed = member === 'valueSet' || member === 'valueSetId';
  return isNamed && typeof given === 'string' && more.length === 0
    ? valueSet('metadataIn', given, name)
    : null;
}

/** Tells whether a value is a list of texts. */
export const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** Renames the services of an order by cost, and those of its prices. */
const costOf = (order: Json, { services, price }: Renaming): Json => ({
  ...services(order),
  ...member(order, 'table', (table) => each(table, price)),
});

const actionOf = (action: Json, renaming: Renaming): Json => ({
  ...action,
  ...member(action, 'order', (order) => inObject(order, renaming.services)),
  ...member(action, 'split', (shares) => each(shares, renaming.services)),
  ...member(action, 'bySuccess', (order) => inObject(order, renaming.services)),
  ...member(action, 'byCost', (order) => inObject(order, (given) => costOf(given, renaming))),
});

const member = (of: Json, name: string, change: (value: unknown) => unknown): Json =>
  of[name] === undefined ? {} : { [name]: change(of[name]) };

const inObject = (value: unknown, change: (given: Json) => Json): unknown =>
  isObject(value) ? change(value) : value;

const each = (value: unknown, change: (given: Json) => Json): unknown =>
  Array.isArray(value) ? value.map((item) => inObject(item, change)) : value;
