import { LOCALE, writeList, writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { reasonOf, type DeclineCodes } from '../payment/decline.ts';
import { networkOf } from '../payments/method.tsx';
import { nameOf as nameOfCode, type CodeKind } from '../services/codes.ts';
import { methodName } from '../services/words.ts';
import type { Own, Version, VersionName } from './query.ts';
import {
  factName,
  testsOf,
  type Action,
  type Condition,
  type FactName,
  type Test,
  type ValueOf,
} from './rule.ts';

const { routingRules: words } = texts;

/** The names of the records that rules name by their ids. */
export type Names = {
  readonly services: ReadonlyMap<string, string>;
  readonly valueSets: ReadonlyMap<string, string>;
  /** The reasons of declines with the sentences of the API. */
  readonly declineCodes: DeclineCodes;
};

/** Names the account's own records. A value set that has another name now keeps the name of the first version. */
export function namesOf(
  { services, deleted, valueSets, declineCodes }: Own,
  ...versions: readonly (Version | null)[]
): Names {
  const copied = versions.flatMap((version) => version?.valueSets ?? []).toReversed();
  return {
    declineCodes,
    services: new Map([...deleted, ...services].map(({ id, displayName }) => [id, displayName])),
    valueSets: new Map([
      ...valueSets.map(({ id, name }) => [id, name] as const),
      ...copied.map(({ valueSetId, name }) => [valueSetId, name] as const),
    ]),
  };
}

/** Names a version with its rule set. */
export const versionName = ({ ruleSet, number }: VersionName): string => words.version(ruleSet.name, number);

/** Names the version of an activation. Null: no version. */
export const decidingName = (version: VersionName | null): string =>
  version ? versionName(version) : words.positions;

const CHOICE = new Intl.ListFormat(LOCALE, { type: 'disjunction' });

/** Writes words of which one is enough, such as `a, b or c`. */
const writeChoice = (choice: readonly string[]): string => CHOICE.format(choice);

/** The value of a fact, as a person reads it. */
type Writers = { readonly [Name in FactName]: (value: ValueOf<Name>, names: Names) => string };

type Range<Value> = { readonly min?: Value | null | undefined; readonly max?: Value | null | undefined };

function writeRange<Value>({ min, max }: Range<Value>, write: (value: Value) => string): string {
  if (min === null || min === undefined)
    return max === null || max === undefined ? '' : words.upTo(write(max));
  return max === null || max === undefined ? words.from(write(min)) : words.between(write(min), write(max));
}

const writeCodes =
  (kind: CodeKind) =>
  (codes: readonly string[]): string =>
    writeChoice(codes.map((code) => nameOfCode(kind, code) ?? code));

/** Removes the full stop of a sentence that becomes a part of another one. */
const withoutStop = (sentence: string): string => sentence.replace(/[.。]$/u, '');

const writeFlag = (value: boolean): string => (value ? words.yes : words.no);

const writeSet = (id: string, { valueSets }: Names): string => words.set(valueSets.get(id) ?? id);

/** The name of a card scheme, such as `Visa`. */
export const schemeName = (scheme: string): string =>
  scheme === 'OTHER' ? texts.services.profile.other : networkOf(scheme);

/** A Monday. The days after it have the other names. */
const MONDAY = Date.UTC(2024, 0, 1);
const DAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const;
const DAY_NAME = new Intl.DateTimeFormat(LOCALE, { weekday: 'short', timeZone: 'UTC' });

/** The days of the week with their short names, Monday first. */
export const DAY_NAMES: readonly (readonly [day: (typeof DAYS)[number], name: string])[] = DAYS.map(
  (day, at) => [day, DAY_NAME.format(MONDAY + at * 86_400_000)],
);

const dayName = (day: string): string => DAY_NAMES.find(([each]) => each === day)?.[1] ?? day;

const WRITERS: Writers = {
  amount: ({ currency, ...range }) => writeRange(range, (amount) => writeMoney({ amount, currency })),
  currency: writeCodes('currency'),
  country: writeCodes('region'),
  countryIn: writeSet,
  method: (methods) => writeChoice(methods.map((method) => methodName(method))),
  instrument: (kinds) => writeChoice(kinds.map((kind) => words.instrument[kind])),
  scheme: (schemes) => writeChoice(schemes.map(schemeName)),
  bin: (ranges) => writeChoice(ranges.map(({ from, to }) => (from === to ? from : `${from}–${to}`))),
  binIn: writeSet,
  paymentSource: (sources) => writeChoice(sources.map((source) => words.source[source])),
  threeDSecureRequest: (wishes) => writeChoice(wishes.map((wish) => words.wish[wish])),
  merchantInitiated: writeFlag,
  isSubsequentPayment: writeFlag,
  isStored: writeFlag,
  stores: writeFlag,
  hasGiftCards: writeFlag,
  hasThreeDSecureData: writeFlag,
  installmentCount: (range) => writeRange(range, String),
  attempt: (range) => writeRange(range, String),
  formerOutcome: (outcomes) => writeChoice(outcomes.map((outcome) => words.outcome[outcome])),
  formerErrorCode: (codes, { declineCodes }) =>
    writeChoice(codes.map((code) => withoutStop(reasonOf(declineCodes, code)))),
  formerService: (ids, { services }) => writeChoice(ids.map((id) => services.get(id) ?? id)),
  metadata: ({ values }) => (values ? writeChoice(values) : words.anyValue),
  metadataIn: ({ valueSetId }, names) => writeSet(valueSetId, names),
  externalIdentifier: ({ prefixes }) => writeChoice(prefixes),
  localTime: ({ days, from, to, zone }) =>
    words.hours(writeList(days.map(dayName)), from, to, zone.replaceAll('_', ' ')),
};

/** A condition as a label with its value. */
export type Written = { readonly label: string; readonly value: string };

function writeTest({ fact, not = false }: Test, names: Names): Written {
  const name = factName(fact);
  // The value of a fact belongs to the writer of the same name.
  const write = WRITERS[name] as (value: unknown, names: Names) => string;
  const value = write(fact[name], names);
  return { label: labelOf(fact), value: not ? words.not(value) : value };
}

function labelOf(fact: Test['fact']): string {
  if (fact.amount) return words.amountIn(fact.amount.currency);
  const { name } = fact.metadata ?? fact.metadataIn ?? {};
  if (name !== undefined) return words.metadataOf(name);
  if (fact.countryIn !== undefined) return words.fact.country;
  return fact.binIn === undefined ? words.fact[factName(fact)] : words.fact.bin;
}

/** Writes a condition. */
export function writeCondition(condition: Condition, names: Names): Written {
  const written = testsOf(condition).map((test) => writeTest(test, names));
  const [first] = written;
  if (condition.fact && first) return first;
  return {
    label: condition.not ? words.noneOf : words.anyOf,
    value: writeChoice(written.map(({ label, value }) => words.is(label, value))),
  };
}

/** Writes a condition as a sentence. */
export function conditionText(condition: Condition, names: Names): string {
  const { label, value } = writeCondition(condition, names);
  return words.is(label, value);
}

const PERCENT = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 2 });

type Order = { readonly paymentServiceIds: readonly string[] };

const servicesOf = ({ paymentServiceIds }: Order, { services }: Names): string =>
  writeList(paymentServiceIds.map((id) => services.get(id) ?? id));

/** Writes an action as sentences. A split has one for each share. */
export function actionTexts(given: Action, names: Names): readonly string[] {
  const { order, split, refuse, bySuccess, byCost } = given;
  const { action } = words;
  if (refuse) return [action.refuse(refuse.code)];
  if (order) {
    const services = servicesOf(order, names);
    return [order.onlyThese ? action.only(services) : action.order(services)];
  }
  if (bySuccess) return successTexts(bySuccess, names);
  if (byCost) return costTexts(byCost, names);
  if (!split) return [action.positions];
  const sum = split.reduce((total, { weight }) => total + weight, 0);
  return split.map((share) => {
    const [part, services] = [PERCENT.format(share.weight / sum), servicesOf(share, names)];
    return share.onlyThese ? action.shareOnly(part, services) : action.share(part, services);
  });
}

function successTexts(
  { lastHours = 72, keepShare = 5, minimumCases = 100, ...order }: NonNullable<Action['bySuccess']>,
  names: Names,
): readonly string[] {
  const services = servicesOf(order, names);
  const { action } = words;
  return [
    order.onlyThese ? action.bySuccessOnly(services) : action.bySuccess(services),
    action.successTerms(lastHours, minimumCases, PERCENT.format(keepShare / 100)),
  ];
}

function costTexts({ table = [], ...order }: NonNullable<Action['byCost']>, names: Names): readonly string[] {
  const services = servicesOf(order, names);
  const { action } = words;
  return [
    order.onlyThese ? action.byCostOnly(services) : action.byCost(services),
    ...table.map(({ paymentServiceId, percentage, fixed, scheme, country }) => {
      const service = names.services.get(paymentServiceId) ?? paymentServiceId;
      const price = writeList([FEE.format(Number(percentage) / 100), ...(fixed ? [writeMoney(fixed)] : [])]);
      const payments = [
        ...(scheme ? [schemeName(scheme)] : []),
        ...(country ? [nameOfCode('region', country) ?? country] : []),
      ];
      return payments.length === 0
        ? action.price(service, price)
        : action.priceFor(service, price, writeList(payments));
    }),
  ];
}

const FEE = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 4 });
