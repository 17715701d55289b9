import { unreachable } from '../../../kernel/result.ts';
import { isInRanges, joined, numbersOf } from './bin-ranges.ts';
import type { RoutingFacts } from './facts.ts';
import { isInHours, localTimeIn } from './local-time.ts';
import type { Bounds, Condition, ListQuestion, Question, Test } from './rule.ts';

/** A condition in the form that each payment asks. */
export type CompiledCondition = {
  readonly holds: (facts: RoutingFacts) => boolean;
  /** Returns the value that a test saw, or null for an unknown one. An `anyOf` sees by its tests. */
  readonly saw: (facts: RoutingFacts) => string | null;
  /** The tests of an `anyOf`. Empty for a single test. */
  readonly tests: readonly CompiledCondition[];
};

/** Compiles a condition. Payments then build no set, sort no range and make no formatter. */
export function compileCondition(condition: Condition): CompiledCondition {
  if (condition.fact !== 'anyOf') return compileTest(condition);
  const tests = condition.tests.map(compileTest);
  return {
    holds: (facts) => tests.some(({ holds }) => holds(facts)) !== condition.not,
    saw: () => null,
    tests,
  };
}

function compileTest(test: Test): CompiledCondition {
  const { holds, saw } = compileQuestion(test);
  const { not } = test;
  return { holds: (facts) => holds(facts) !== not, saw, tests: [] };
}

type Compiled = Pick<CompiledCondition, 'holds' | 'saw'>;

function compileQuestion(question: Question): Compiled {
  switch (question.fact) {
    case 'amount':
      return compileAmount(question);
    case 'installmentCount':
    case 'attempt':
      return {
        holds: (facts) => isWithin(question, facts[question.fact]),
        saw: (facts) => String(facts[question.fact]),
      };
    case 'bin':
      return compileBin(joined(question.ranges.map(numbersOf)));
    case 'metadata':
      return compileMetadata(question);
    case 'externalIdentifier':
      return {
        holds: ({ externalIdentifier }) =>
          externalIdentifier !== null &&
          question.prefixes.some((prefix) => externalIdentifier.startsWith(prefix)),
        saw: ({ externalIdentifier }) => externalIdentifier,
      };
    case 'localTime':
      return compileLocalTime(question);
    case 'currency':
    case 'country':
    case 'method':
    case 'instrument':
    case 'scheme':
    case 'paymentSource':
    case 'threeDSecureRequest':
    case 'formerOutcome':
    case 'formerErrorCode':
    case 'formerService':
      return compileList(question);
    case 'merchantInitiated':
    case 'isSubsequentPayment':
    case 'isStored':
    case 'stores':
    case 'hasGiftCards':
    case 'hasThreeDSecureData':
      return {
        holds: (facts) => facts[question.fact] === question.is,
        saw: (facts) => String(facts[question.fact]),
      };
    default:
      return unreachable(question);
  }
}

type QuestionOf<Fact> = Extract<Question, { readonly fact: Fact }>;

function compileList({ fact, values }: ListQuestion): Compiled {
  const listed = new Set(values);
  return {
    holds: (facts) => {
      const value = facts[fact];
      return value !== null && listed.has(value);
    },
    saw: (facts) => facts[fact],
  };
}

const compileAmount = (question: QuestionOf<'amount'>): Compiled => ({
  holds: ({ amount, currency }) =>
    amount !== null && currency === question.currency && isWithin(question, amount),
  saw: ({ amount, currency }) => (amount === null ? null : `${amount} ${currency}`),
});

/** A provider may tell six digits of a stored card. Ranges are of eight. */
const compileBin = (ranges: ReturnType<typeof joined>): Compiled => ({
  holds: ({ bin }) => bin !== null && isInRanges(ranges, Number(bin.padEnd(8, '0'))),
  saw: ({ bin }) => bin,
});

function compileMetadata({ name, values }: QuestionOf<'metadata'>): Compiled {
  const listed = values && new Set(values);
  // A name such as `constructor` must not find a property that every object has.
  const valueIn = ({ metadata }: RoutingFacts): unknown =>
    metadata && Object.hasOwn(metadata, name) ? (metadata[name] ?? null) : null;
  return {
    holds: (facts) => {
      const value = valueIn(facts);
      return value !== null && (listed === null || listed.has(textOf(value) ?? NO_VALUE));
    },
    saw: (facts) => textOf(valueIn(facts)),
  };
}

function compileLocalTime(question: QuestionOf<'localTime'>): Compiled {
  const localTime = localTimeIn(question.zone);
  return {
    holds: ({ at }) => isInHours(question, localTime(at)),
    saw: ({ at }) => {
      const { day, minute } = localTime(at);
      const [hour, rest] = [Math.floor(minute / 60), minute % 60];
      return `${day} ${String(hour).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
    },
  };
}

/** Returns a number or a flag as text. Null for a list and an object, which no listed value equals. */
const textOf = (value: unknown): string | null => {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
};

/** No listed value has a control character. */
const NO_VALUE = '\u0000';

const isWithin = ({ min, max }: Bounds, value: number): boolean =>
  (min === null || value >= min) && (max === null || value <= max);
