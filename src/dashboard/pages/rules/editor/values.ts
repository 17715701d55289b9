import { readMoney, typeMoney } from '../../../design/value.tsx';
import { factName, type Fact, type FactName } from '../rule.ts';

/** The values of a test as a person fills them in. Each kind of fact uses some of them. */
export type TestParts = {
  /** The chosen values of a list, or the chosen days. */
  readonly chosen: readonly string[];
  readonly flag: 'yes' | 'no';
  readonly currency: string;
  readonly min: string;
  readonly max: string;
  /** Values, one on each line. */
  readonly text: string;
  /** The name of an entry of the metadata. */
  readonly name: string;
  /** The id of a value set. */
  readonly set: string;
  readonly zone: string;
  readonly start: string;
  readonly end: string;
};

/** The kinds of facts, by their fields. */
export type Kind =
  | 'amount'
  | 'choices'
  | 'count'
  | 'entry'
  | 'flag'
  | 'hours'
  | 'prefixes'
  | 'ranges'
  | 'set'
  | 'sharedEntry';

/** The facts in the order of the list, each with its kind. */
export const KINDS: Readonly<Record<FactName, Kind>> = {
  ...{ amount: 'amount', currency: 'choices', country: 'choices', countryIn: 'set', method: 'choices' },
  ...{ instrument: 'choices', scheme: 'choices', bin: 'ranges', binIn: 'set', paymentSource: 'choices' },
  ...{ threeDSecureRequest: 'choices', merchantInitiated: 'flag', isSubsequentPayment: 'flag' },
  ...{ isStored: 'flag', stores: 'flag', hasGiftCards: 'flag', hasThreeDSecureData: 'flag' },
  ...{ installmentCount: 'count', metadata: 'entry', metadataIn: 'sharedEntry' },
  ...{ attempt: 'count', formerOutcome: 'choices', formerErrorCode: 'choices', formerService: 'choices' },
  ...{ externalIdentifier: 'prefixes', localTime: 'hours' },
};

/** Translates the values of a fact for the API. Null while a value is missing or unreadable. */
export function factFrom(fact: FactName, parts: TestParts): Fact | null {
  const value = READERS[KINDS[fact]](parts);
  // The kind of a fact decides about the form of its value.
  return value === null ? null : ({ [fact]: value } as unknown as Fact);
}

const READERS: Readonly<Record<Kind, (parts: TestParts) => unknown>> = {
  choices: ({ chosen }) => (chosen.length === 0 ? null : chosen),
  flag: ({ flag }) => flag === 'yes',
  amount: ({ currency, ...bounds }) => {
    // Without its currency, nobody can read an amount.
    const range = currency === '' ? null : rangeOf(bounds, (text) => readMoney(text, currency));
    return range === null ? null : { currency, ...range };
  },
  count: (bounds) => rangeOf(bounds, (text) => (/^\d{1,3}$/.test(text.trim()) ? Number(text) : null)),
  ranges: ({ text }) => {
    const ranges = linesOf(text.replaceAll(',', '\n')).map(binRangeOf);
    return ranges.length > 0 && ranges.every((each) => each !== null) ? ranges : null;
  },
  set: ({ set }) => (set === '' ? null : set),
  entry: ({ name, text }) => {
    const values = linesOf(text);
    return name.trim() === '' ? null : { name: name.trim(), ...(values.length > 0 && { values }) };
  },
  sharedEntry: ({ name, set }) =>
    name.trim() === '' || set === '' ? null : { name: name.trim(), valueSetId: set },
  prefixes: ({ text }) => {
    const prefixes = linesOf(text);
    return prefixes.length === 0 ? null : { prefixes };
  },
  hours: ({ chosen: days, zone, start, end }) =>
    days.length === 0 || zone === '' || start === '' || end === ''
      ? null
      : { zone, days, from: start, to: end },
};

type Bounds = { readonly min: string; readonly max: string };

/** Reads a range with at least one bound. Null for a range without, and for an unreadable bound. */
function rangeOf({ min, max }: Bounds, read: (text: string) => number | null) {
  const given = Object.entries({ min, max }).filter(([, text]) => text.trim() !== '');
  const bounds = given.map(([name, text]) => [name, read(text)] as const);
  return bounds.length > 0 && bounds.every(([, value]) => value !== null) ? Object.fromEntries(bounds) : null;
}

const linesOf = (text: string): readonly string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  ),
];

function binRangeOf(text: string): { readonly from: string; readonly to: string } | null {
  const [, from, to = from] = /^(\d{6,8})(?:\s*[-–]\s*(\d{6,8}))?$/.exec(text) ?? [];
  return from !== undefined && to !== undefined ? { from, to } : null;
}

/** Returns the values of a fact as a person types them. */
export function partsOf(fact: Fact): Partial<TestParts> {
  const name = factName(fact);
  const value: unknown = fact[name];
  if (fact.amount) return amountParts(fact.amount);
  const count = fact.installmentCount ?? fact.attempt;
  if (count) return boundsOf(count, String);
  if (fact.bin)
    return { text: fact.bin.map(({ from, to }) => (from === to ? from : `${from}-${to}`)).join('\n') };
  if (fact.metadata) return { name: fact.metadata.name, text: (fact.metadata.values ?? []).join('\n') };
  if (fact.metadataIn) return { name: fact.metadataIn.name, set: fact.metadataIn.valueSetId };
  if (fact.externalIdentifier) return { text: fact.externalIdentifier.prefixes.join('\n') };
  if (fact.localTime) {
    const { zone, days: chosen, from: start, to: end } = fact.localTime;
    return { zone, chosen, start, end };
  }
  if (Array.isArray(value)) return { chosen: value.map(String) };
  return typeof value === 'string' ? { set: value } : { flag: value === true ? 'yes' : 'no' };
}

type Range = { readonly min?: number | null | undefined; readonly max?: number | null | undefined };

const amountParts = ({ currency, ...range }: Range & { readonly currency: string }): Partial<TestParts> => ({
  currency,
  ...boundsOf(range, (amount) => typeMoney({ amount, currency })),
});

const boundsOf = ({ min, max }: Range, write: (value: number) => string): Partial<TestParts> => ({
  min: min === null || min === undefined ? '' : write(min),
  max: max === null || max === undefined ? '' : write(max),
});
