import { COUNT_LIMIT_MAX } from '../../../src/kernel/count.ts';
import { LIMITS } from '../../../src/graph/limits/limits.ts';
import { FAILURES_MAX } from '../../../src/http/checkout/attempt-limit.ts';
import { BODY_BYTES_MAX } from '../../../src/http/answers/replies.ts';
import { AMOUNT_MAX } from '../../../src/kernel/money.ts';
import { DELIVERY_WINDOW_MS, RETRY_MAX } from '../../../src/modules/events/dispatch/schedule.ts';
import { INVITATION_MS } from '../../../src/modules/people/person.ts';
import { LIFETIME_MS } from '../../../src/modules/sessions/session.ts';
import { APPROVAL_MS } from '../../../src/modules/transactions/model/refund-approval.ts';
import { parseConfig } from '../../../src/platform/process/config.ts';
import { table, WRITTEN } from './table.ts';

/** The meaning of each limit of an operation. The compiler asks for a line for each limit. */
const MEANINGS: Readonly<Record<keyof typeof LIMITS, string>> = {
  tokens: 'words and signs of a document',
  validationErrors: 'errors of one validation that the answer lists',
  depth: 'levels of nested fields',
  aliases: 'aliases in the whole document',
  directives: 'directives in the whole document',
  rootFields: 'fields at the root of the operation',
  objects: 'objects that an answer can hold',
  places: 'places that answer objects, after fragments are merged',
  listSize: 'objects that a list without `first` and `last` counts',
  countedPerObject: 'records of a `totalCount` that count as one object',
  inputList: 'elements of one list in the input',
  references: 'references of one `_entities` of a router',
  inputDepth: 'levels of nested lists and objects in the input',
};

const formatNumber = (number: number): string => number.toLocaleString('en');

/** The defaults of the settings. */
const config = parseConfig({});

const HOUR_MS = 3_600_000;

const inHours = (ms: number): string => `${formatNumber(ms / HOUR_MS)} hours`;

/** Writes the page of limits. */
export const limitsPage = (): string => `${WRITTEN}

# Limits

## GraphQL operations

Paygraph checks these limits before anything runs. A list counts as often as its \`first\` or \`last\` says.

${table(
  ['limit', 'at most'],
  Object.entries(LIMITS).map(([name, value]) => [MEANINGS[name as keyof typeof LIMITS], formatNumber(value)]),
)}

## Requests and amounts

${table(
  ['limit', 'value'],
  [
    ['body of a request', `${formatNumber(BODY_BYTES_MAX / 1024)} KiB`],
    ['amount of a payment, in minor units', formatNumber(AMOUNT_MAX)],
    ['records of a page', 100],
    ['records that a `totalCount` counts', formatNumber(COUNT_LIMIT_MAX)],
    ['records that one list or count reads', formatNumber(config.PAYGRAPH_LIST_SCAN_LIMIT)],
  ],
)}

A list with a filter reads a bounded number of records, however many there are. A filter that needs more is refused with
INVALID_INPUT. The refusal names the range of creation that is small enough, for example \`createdAtGte\`. Paygraph reads five
times as many records if an index alone answers the filter. Paygraph reads two fifths if the records lie far apart.

${table(
  ['list', 'filters in its index'],
  [
    [
      'transactions',
      'currency, country, method, payment service, card scheme, country of the card, payment source, initiator, subsequent payment',
    ],
    ['payment links', 'status, expiry, currency, country'],
    ['payment methods', 'method, status'],
  ],
)}

The filter \`contains\` has no index. A range of creation makes such a search possible in any list.

## Webhooks

${table(
  ['limit', 'value'],
  [
    ['time in which a delivery is retried', inHours(DELIVERY_WINDOW_MS)],
    ['retries of a delivery', formatNumber(RETRY_MAX)],
  ],
)}

[Live events](../guides/live-events.md#limits-of-connections) lists the limits of websockets.

## People

These times run at the [dashboard](../guides/dashboard.md), whatever the settings say.

${table(
  ['limit', 'value'],
  [
    ['time in which a second person approves a refund', inHours(APPROVAL_MS)],
    ['time in which a person accepts an invitation', inHours(INVITATION_MS)],
    ['life of a session', inHours(LIFETIME_MS)],
  ],
)}

A refund without a decision in that time expires, and no money moves: see [refunds that need a second
person](../guides/dashboard.md#refunds-that-need-a-second-person).

## Card numbers

Paygraph counts the card numbers that requests present: see [guessed card
numbers](../guides/cards.md#guessed-card-numbers). The settings change these limits.

${table(
  ['limit of a merchant account', 'at most'],
  [
    [
      'different numbers in a day with the same first eight and last four digits',
      config.PAYGRAPH_CARD_NUMBERS_PER_DAY ?? '',
    ],
    [
      'failed payments in an hour with the same first eight digits',
      config.PAYGRAPH_CARD_FAILURES_PER_HOUR ?? '',
    ],
  ],
)}

## Payment links

Each process counts the failures of 15 minutes. Paygraph holds further tries back after these numbers of failures:

${table(
  ['failures of', 'at most'],
  [
    ['a payment link', FAILURES_MAX.link],
    ['an address', FAILURES_MAX.address],
    ['a gift card', FAILURES_MAX.giftCard],
  ],
)}
`;
