import type {
  RoutingActionInput,
  RoutingConditionInput,
  RoutingFactInput,
  RoutingRuleInput,
  RoutingTestInput,
} from '../../../client/generated/schema.ts';

/** A rule in the form of the API, which answers rules in the form of their input. */
export type Rule = RoutingRuleInput;
export type Condition = RoutingConditionInput;
export type Test = RoutingTestInput;
export type Action = RoutingActionInput;
export type Fact = RoutingFactInput;

type KeysOf<Union> = Union extends unknown ? keyof Union : never;

/** The name of a fact of a payment. */
export type FactName = KeysOf<Fact>;

/** The values of a test, by the name of its fact. */
export type ValueOf<Name extends FactName> = Extract<Fact, Readonly<Record<Name, unknown>>>[Name];

/** Returns the name of the only fact of a test. */
export function factName(fact: Fact): FactName {
  const [name] = Object.keys(fact) as readonly FactName[];
  if (name === undefined) throw new Error('A test of the API has no fact.');
  return name;
}

/** Lists the tests of a condition: its fact, or the facts of which one must hold. */
export const testsOf = ({ fact, anyOf, not }: Condition): readonly Test[] =>
  fact ? [{ fact, not: not ?? false }] : (anyOf ?? []);

/** Tells whether two parts of rules mean the same. An absent value equals the default of the API. */
export const isSame = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other);

/** Writes a part of a rule with its names in order, and without defaults. */
export const canonical = (part: unknown): string =>
  JSON.stringify(part, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).filter(isGiven).toSorted(byName))
      : value,
  );

const isGiven = ([name, value]: readonly [string, unknown]): boolean =>
  value !== null && value !== undefined && !(value === false && DEFAULTS.has(name));

/** The names whose default is false. */
const DEFAULTS: ReadonlySet<string> = new Set(['not', 'onlyThese']);

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;
