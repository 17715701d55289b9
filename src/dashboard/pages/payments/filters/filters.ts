import type { TransactionFilter, TransactionStatus } from '../../../../client/generated/schema.ts';
import { withSearch } from '../../../app/route.tsx';
import { decimalsOf } from '../../../design/value.tsx';
import { texts } from '../../../texts/texts.ts';

/** The filters of the list as the address has them. An empty text filters nothing. */
export type Filters = {
  readonly q: string;
  /** Words with commas between, as are `currency` and `method`. */
  readonly status: string;
  /** `today`, `7d`, `30d`, `90d`, or two days with two dots between. */
  readonly created: string;
  /** Two amounts in the unit of the currency with two dots between. Either may be missing. */
  readonly amount: string;
  readonly currency: string;
  readonly method: string;
  /** `yes` or `no`. */
  readonly disputed: string;
  /** `yes` for payments that a review holds, `no` for all others. */
  readonly review: string;
};

/** The filters with a chip, in their order. */
export const CHIPS = ['created', 'status', 'amount', 'currency', 'method', 'disputed', 'review'] as const;
export type Chip = (typeof CHIPS)[number];

/** All states, in the order of a payment's life. */
export const STATUSES = Object.keys(texts.payments.status) as readonly TransactionStatus[];

/** The spans before now. */
export const SPANS = { today: 1, '7d': 7, '30d': 30, '90d': 90 } as const;
export type Span = keyof typeof SPANS;

const isSpan = (text: string): text is Span => text in SPANS;

/** The filters that ask a question about each payment. */
const QUESTIONS = ['disputed', 'review'] as const;
export type Question = (typeof QUESTIONS)[number];

const isQuestion = (chip: Chip): chip is Question => QUESTIONS.some((each) => each === chip);

/** The answers to a question of a filter. */
export const ANSWERS = ['yes', 'no'] as const;
type Answer = (typeof ANSWERS)[number];

const isAnswer = (text: string): text is Answer => ANSWERS.some((each) => each === text);

/** Reads the filters from an address. */
export const readFilters = (search: URLSearchParams): Filters => ({
  q: search.get('q') ?? '',
  status: search.get('status') ?? '',
  created: search.get('created') ?? '',
  amount: search.get('amount') ?? '',
  currency: search.get('currency') ?? '',
  method: search.get('method') ?? '',
  disputed: search.get('disputed') ?? '',
  review: search.get('review') ?? '',
});

/** Filters that let every payment through. */
export const NO_FILTERS: Filters = readFilters(new URLSearchParams());

/** Writes the address of the list with filters. */
export const addressOf = (filters: Filters): string => withSearch('payments', filters);

/** Splits words with commas between. */
export const wordsOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);

/** Splits a pair with two dots between. Either part may be empty. */
export function pairOf(text: string): readonly [string, string] {
  const [from = '', until = ''] = text.split('..');
  return [from, until];
}

/** Translates the filters for the API. Words that are no filter are left out. */
export function toApi(filters: Filters): TransactionFilter {
  const statuses = STATUSES.filter((status) => wordsOf(filters.status).includes(status));
  const currencies = wordsOf(filters.currency.toUpperCase()).filter((code) => /^[A-Z]{3}$/.test(code));
  const methods = wordsOf(filters.method.toLowerCase());
  const decimals = decimalsOf(currencies[0] ?? 'EUR');
  const [from, until] = pairOf(filters.amount).map((text) => unitsOf(text, decimals));
  return {
    ...(filters.q.trim() !== '' && { search: filters.q.trim().slice(0, 200) }),
    ...(statuses.length > 0 && { status: statuses }),
    ...(currencies.length > 0 && { currency: currencies }),
    ...(methods.length > 0 && { method: methods }),
    ...(from !== null && from !== undefined && { amountGte: from }),
    ...(until !== null && until !== undefined && { amountLte: until }),
    ...(isAnswer(filters.disputed) && { disputed: filters.disputed === 'yes' }),
    ...(isAnswer(filters.review) && { pendingReview: filters.review === 'yes' }),
    ...momentsOf(filters.created),
  };
}

function unitsOf(text: string, decimals: number): number | null {
  const value = Math.round(Number(text) * 10 ** decimals);
  return text.trim() !== '' && value >= 0 && value <= 99_999_999 ? value : null;
}

function momentsOf(created: string): Pick<TransactionFilter, 'createdAtGte' | 'createdAtLte'> {
  if (isSpan(created)) {
    const start = new Date();
    start.setHours(0, 0, 0, 0);
    start.setDate(start.getDate() - SPANS[created] + 1);
    return { createdAtGte: start.toISOString() };
  }
  const [from, until] = pairOf(created).map((day) => new Date(`${day}T00:00:00`));
  const end = until && new Date(until.getFullYear(), until.getMonth(), until.getDate() + 1);
  return {
    ...(from && isValid(from) && { createdAtGte: from.toISOString() }),
    ...(end && isValid(end) && { createdAtLte: new Date(end.getTime() - 1).toISOString() }),
  };
}

const isValid = (date: Date): boolean => !Number.isNaN(date.getTime());

/** Says a filter in words, for its chip. */
export function describe(chip: Chip, value: string): string {
  const { payments } = texts;
  if (chip === 'status')
    return STATUSES.filter((status) => wordsOf(value).includes(status))
      .map((status) => payments.status[status])
      .join(', ');
  if (chip === 'created' && isSpan(value)) return payments.span[value];
  if (isQuestion(chip) && isAnswer(value)) return payments[chip][value];
  if (chip !== 'created' && chip !== 'amount') return wordsOf(value).join(', ');
  const [from, until] = pairOf(value);
  if (from !== '' && until !== '') return payments.between(from, until);
  return from === '' ? payments.atMost(until) : payments.atLeast(from);
}

/** Says the search and the filters in words, each with its label. */
export function factsOf(filters: Filters): readonly (readonly [label: string, value: string])[] {
  const { filter, searchShort, export: words } = texts.payments;
  const given = CHIPS.filter((chip) => filters[chip] !== '').map(
    (chip) => [filter[chip], describe(chip, filters[chip])] as const,
  );
  const all = filters.q === '' ? given : [[searchShort, filters.q] as const, ...given];
  return all.length > 0 ? all : [[words.filters, words.none]];
}
