import { retriableDeclines } from '../../../connectors/codes/decline-codes.ts';
import { AMOUNT_MAX } from '../../../kernel/money.ts';
import { unreachable } from '../../../kernel/result.ts';
import { BIN_SPAN, numbersOf, type Range } from './bin-ranges.ts';
import {
  anyText,
  complement,
  intersection,
  isSubset,
  numbersWithin,
  textsOf,
  union,
  type Domain,
} from './domain.ts';
import { FORMER_OUTCOMES } from './facts.ts';
import type { Bounds, Condition, Question, Test } from './rule.ts';

/**
 * The payments that a rule can match: a domain for each dimension that the rule limits. A payment of the rule is in every domain.
 * The opposite need not be true.
 */
export type Region = ReadonlyMap<string, Domain>;

/** The exact domain of a condition in one dimension. */
export type Limit = { readonly dimension: string; readonly domain: Domain };

export function regionOf(conditions: readonly Condition[]): Region {
  const region = new Map<string, Domain>();
  for (const condition of conditions)
    for (const limit of [limitOf(condition), ...impliedBy(condition)]) narrow(region, limit);
  for (const limit of impliedByAttempt(region)) narrow(region, limit);
  return region;
}

function narrow(region: Map<string, Domain>, { dimension, domain }: Limit): void {
  const before = region.get(dimension);
  region.set(dimension, before ? intersection(before, domain) : domain);
}

/** Returns the domain that says exactly as much as a condition. */
export function limitOf(condition: Condition): Limit {
  if (condition.fact !== 'anyOf') return limitOfTest(condition);
  const [first, ...rest] = condition.tests.map(limitOfTest);
  const limit =
    first && rest.every(({ dimension }) => dimension === first.dimension)
      ? { ...first, domain: rest.reduce((sum, { domain }) => union(sum, domain), first.domain) }
      : opaque(condition.tests);
  return condition.not ? { ...limit, domain: complement(limit.domain) } : limit;
}

function limitOfTest({ not, ...question }: Test): Limit {
  const limit = limitOfQuestion(question);
  return not ? { ...limit, domain: complement(limit.domain) } : limit;
}

function limitOfQuestion(question: Question): Limit {
  const { fact } = question;
  switch (fact) {
    case 'amount':
      return {
        dimension: `amount ${question.currency}`,
        domain: numbersWithin(AMOUNTS, [rangeOf(question, AMOUNTS)]),
      };
    case 'installmentCount':
      return { dimension: fact, domain: numbersWithin(COUNTS, [rangeOf(question, COUNTS)]) };
    case 'attempt':
      return { dimension: fact, domain: attempts(question) };
    case 'bin':
      return { dimension: fact, domain: numbersWithin(BIN_SPAN, question.ranges.map(numbersOf)) };
    case 'metadata':
      return {
        dimension: `metadata ${question.name}`,
        domain: question.values ? textsOf(question.values) : anyText(),
      };
    case 'externalIdentifier':
    case 'localTime':
      return opaque(question);
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
      return { dimension: fact, domain: textsOf(question.values) };
    case 'merchantInitiated':
    case 'isSubsequentPayment':
    case 'isStored':
    case 'stores':
    case 'hasGiftCards':
    case 'hasThreeDSecureData':
      return { dimension: fact, domain: truth(question.is) };
    default:
      return unreachable(question);
  }
}

/** Lists what else follows from a condition. An amount in a currency needs the currency. */
const impliedBy = (condition: Condition): readonly Limit[] =>
  condition.fact === 'amount' && !condition.not
    ? [{ dimension: 'currency', domain: textsOf([condition.currency]) }]
    : [];

/**
 * Lists what follows from the facts of the attempt together. Only a further attempt has a former one. A payment goes on only after
 * some declines, and after each technical failure.
 */
function impliedByAttempt(region: Region): readonly Limit[] {
  const isWithin = (dimension: string, limit: Domain): boolean => {
    const domain = region.get(dimension);
    return domain !== undefined && isSubset(domain, limit);
  };
  if (isWithin('attempt', attempts({ min: null, max: 1 })))
    return FORMER.map((dimension) => ({ dimension, domain: complement(anyText()) }));
  const isFurther = isOfFurtherAttempts(region) || FORMER.some((dimension) => isWithin(dimension, anyText()));
  if (!isFurther) return [];
  return [
    { dimension: 'attempt', domain: FURTHER },
    { dimension: 'formerOutcome', domain: textsOf(FORMER_OUTCOMES) },
    ...['formerErrorCode', 'formerService'].map((dimension) => ({ dimension, domain: anyText() })),
    ...(isWithin('formerOutcome', complement(textsOf(['failed'])))
      ? [{ dimension: 'formerErrorCode', domain: textsOf(retriableDeclines) }]
      : []),
  ];
}

/** Tells whether the first attempt of a payment is outside. */
export function isOfFurtherAttempts(region: Region): boolean {
  const domain = region.get('attempt');
  return domain !== undefined && isSubset(domain, FURTHER);
}

const FORMER = ['formerOutcome', 'formerErrorCode', 'formerService'] as const;

const AMOUNTS: Range = [0, AMOUNT_MAX];
const COUNTS: Range = [1, 100];

const rangeOf = ({ min, max }: Bounds, [least, most]: Range): Range => [min ?? least, max ?? most];

/** No payment has as many attempts as the last one here. */
const ATTEMPTS: Range = [1, 1_000_000];

const attempts = (bounds: Bounds): Domain => numbersWithin(ATTEMPTS, [rangeOf(bounds, ATTEMPTS)]);

const FURTHER = attempts({ min: 2, max: null });

/** Yes and no are two numbers, so the complement of one is exactly the other. */
const truth = (is: boolean): Domain => numbersWithin([0, 1], [[Number(is), Number(is)]]);

/** A question whose values are not compared. The same question has the same dimension. */
const opaque = (question: unknown): Limit => ({ dimension: JSON.stringify(question), domain: truth(true) });
