import { AMOUNT_MAX } from '../../../kernel/money.ts';
import { unreachable } from '../../../kernel/result.ts';
import { BIN_SPAN, numbersOf, type Range } from './bin-ranges.ts';
import { anyText, complement, intersection, numbersWithin, textsOf, union, type Domain } from './domain.ts';
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
  for (const { dimension, domain } of conditions.flatMap((each) => [limitOf(each), ...impliedBy(each)])) {
    const before = region.get(dimension);
    region.set(dimension, before ? intersection(before, domain) : domain);
  }
  return region;
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

const AMOUNTS: Range = [0, AMOUNT_MAX];
const COUNTS: Range = [1, 100];

const rangeOf = ({ min, max }: Bounds, [least, most]: Range): Range => [min ?? least, max ?? most];

/** Yes and no are two numbers, so the complement of one is exactly the other. */
const truth = (is: boolean): Domain => numbersWithin([0, 1], [[Number(is), Number(is)]]);

/** A question whose values are not compared. The same question has the same dimension. */
const opaque = (question: unknown): Limit => ({ dimension: JSON.stringify(question), domain: truth(true) });
