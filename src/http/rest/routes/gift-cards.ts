import type { BodyForm, Json, RecordForm, Route } from '../route.ts';
import { byId } from './by-id.ts';

const giftCard: RecordForm = {
  name: 'GiftCard',
  on: 'GiftCard',
  type: 'gift-card',
  fields: `id merchantAccountId paymentService { id } buyer { id type displayName externalIdentifier } bin subBin
    lastFour expirationDate currency balance balanceUpdatedAt lastUsedAt usageCount citLastUsedAt citUsageCount
    createdAt updatedAt`,
};

const summary: RecordForm = {
  name: 'GiftCardSummary',
  on: 'GiftCard',
  type: 'gift-card',
  fields: `id merchantAccountId bin subBin lastFour expirationDate currency balance lastUsedAt usageCount
    citLastUsedAt citUsageCount`,
};

const balance: RecordForm = {
  name: 'GiftCardBalance',
  on: 'GiftCardBalance',
  type: 'gift-card',
  fields: `giftCard { id } bin subBin lastFour balance currency expirationDate balanceErrorCode
    balanceRawErrorCode balanceRawErrorMessage`,
  hidden: ['gift_card'],
  computed: {
    id: {
      schema: { type: ['string', 'null'], description: 'Null for a card that is not stored.' },
      from: ({ gift_card: card }) => ((card ?? {}) as Json)['id'] ?? null,
    },
  },
};

/** The cards of a check of balances are `items`. */
const items: BodyForm = {
  toArgument: ({ items: cards, gift_cards: unknown, ...body }) => ({
    ...body,
    ...(cards !== undefined && { gift_cards: cards }),
    ...(unknown !== undefined && { unknown }),
  }),
  toBody: ([first, ...rest]) =>
    first === undefined ? [] : [first === 'gift_cards' ? 'items' : first, ...rest],
  schema: (argument) => {
    const { gift_cards: cards, ...properties } = argument['properties'] as Json;
    return { ...argument, properties: { items: cards, ...properties }, required: ['items'] };
  },
};

const tag = 'Gift cards';
const one = byId('/gift-cards', 'gift_card_id');

/** The paths of gift cards. */
export const giftCardRoutes: readonly Route[] = [
  {
    ...{ method: 'POST', path: '/gift-cards', tag, summary: 'Store a gift card' },
    field: 'Mutation.storeGiftCard',
    body: { argument: 'input', example: { number: '4123456789012345', pin: '01234' } },
    answer: { kind: 'record', at: ['giftCard'], record: giftCard },
  },
  {
    ...{ method: 'GET', path: '/gift-cards', tag, summary: 'List gift cards' },
    field: 'Query.giftCards',
    answer: { kind: 'page', record: giftCard },
  },
  {
    ...{ method: 'POST', path: '/gift-cards/balances', tag, summary: 'Check balances', status: 200 },
    field: 'Mutation.checkGiftCardBalances',
    body: {
      argument: 'input',
      form: items,
      example: { items: [{ number: '4123456789012345', pin: '01234' }] },
    },
    answer: { kind: 'list', at: ['balances'], record: balance },
  },
  {
    ...{ method: 'GET', ...one, tag, summary: 'Get a gift card' },
    field: 'Query.giftCard',
    answer: { kind: 'record', record: giftCard },
  },
  {
    ...{ method: 'DELETE', ...one, tag, summary: 'Delete a gift card' },
    field: 'Mutation.deleteGiftCard',
    answer: { kind: 'none' },
  },
  {
    ...{ method: 'GET', path: '/buyers/gift-cards', tag, summary: 'List the gift cards of a buyer' },
    field: 'Query.buyerGiftCards',
    answer: { kind: 'list', record: summary },
  },
];
