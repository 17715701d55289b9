import { startFakeGiftCards, type FakeGiftCards } from '../support/fake-gift-cards.ts';
import { freshNumber } from '../payment-methods/gift-card-harness.ts';
import { CARD, createService, startHarness, type Harness, type HarnessOptions } from './harness.ts';

/** Number and PIN. The PIN sets the initial balance in minor units. */
export type Card = { readonly number: string; readonly pin: string };

export type Redemption = {
  readonly id: string;
  readonly status: string;
  readonly amount: number;
  readonly refundedAmount: number;
  readonly refundable: { readonly amount: number };
  readonly errorCode: string | null;
  readonly giftCard: { readonly id: string; readonly usageCount: number; readonly balance: number } | null;
  readonly [field: string]: unknown;
};

export type Payment = {
  readonly id: string;
  readonly status: string;
  readonly giftCardRedemptions: readonly Redemption[];
  readonly [field: string]: unknown;
};

export type Refund = {
  readonly id: string;
  readonly amount: number;
  readonly status: string;
  readonly redemptionId: string | null;
  readonly redemption: { readonly id: string; readonly refundedAmount: number } | null;
};

export type Answer = {
  readonly transaction: Payment | null;
  readonly refund?: Refund | null;
  readonly refunds?: readonly Refund[];
  readonly userErrors: readonly {
    readonly __typename: string;
    readonly code: string;
    readonly message: string;
    readonly path: readonly string[];
    readonly giftCardErrorCode?: string;
    readonly refundable?: { readonly amount: number };
  }[];
  readonly replayed: boolean;
};

export type Input = Readonly<Record<string, unknown>>;

/** A harness with a provider of cards, a provider of gift cards, and helpers for split payments. */
export type GiftCardPayments = Omit<Harness, 'refund' | 'transaction'> & {
  readonly giftCards: FakeGiftCards;
  readonly giftCardServiceId: string;
  /** Returns an unused gift card with this balance. */
  card(balance: number): Card;
  /** Stores a gift card and returns its id. */
  stored(card: Card, owner?: Input): Promise<string>;
  /** Pays 1000 USD cents by default. */
  pay(input: Input, key?: string): Promise<Answer>;
  payment(id: string): Promise<Payment>;
  refund(id: string, input?: Input, key?: string): Promise<Answer>;
  /** Reads the current balance at the provider. */
  balance(card: Card): Promise<number>;
  /** Lists the requested verbs at the provider of gift cards, without balances. */
  requested(): readonly string[];
};

export const METHOD = { card: CARD };

const REDEMPTIONS = `giftCardAmount giftCardRedeemedAmount giftCardRedemptions { id status amount currency refundedAmount
  refundable { amount } errorCode rawErrorCode bin subBin lastFour paymentService { id } paymentServiceRedemptionId
  giftCard { id usageCount citUsageCount balance } }`;
const PAYMENT = `{ id status amount authorizedAmount capturedAmount refundedAmount errorCode method instrumentType intentOutcome
  paymentServiceTransactionId capturable { amount } refundable { amount } ${REDEMPTIONS} }`;
const ERRORS = `userErrors { __typename code message path ... on GiftCardRefused { giftCardErrorCode }
  ... on RefundTooLarge { refundable { amount } } } replayed`;

const DOCUMENTS = {
  pay: `mutation ($input: CreateTransactionInput!, $key: String) {
    answer: createTransaction(input: $input, idempotencyKey: $key) { transaction ${PAYMENT} ${ERRORS} } }`,
  payment: `query ($id: ID!) { answer: transaction(id: $id) ${PAYMENT} }`,
  refund: `mutation ($id: ID!, $input: RefundInput!, $key: String) {
    answer: refundTransaction(id: $id, input: $input, idempotencyKey: $key) {
      refund { id amount status redemptionId redemption { id refundedAmount } }
      refunds { id amount status redemptionId redemption { id refundedAmount } }
      transaction ${PAYMENT} ${ERRORS} } }`,
  store: `mutation ($input: StoreGiftCardInput!) {
    answer: storeGiftCard(input: $input) { giftCard { id } userErrors { message } } }`,
  balance: `mutation ($input: CheckGiftCardBalancesInput!) {
    answer: checkGiftCardBalances(input: $input) { balances { balance balanceErrorCode } userErrors { message } } }`,
};

export async function startGiftCardPayments(options: HarnessOptions = {}): Promise<GiftCardPayments> {
  const harness = await startHarness('mock-acquirer', options);
  const giftCards = await startFakeGiftCards();
  const giftCardServiceId = await createService(harness.server, giftCards.url, {
    definitionId: 'mock-gift-card',
    displayName: 'Gift cards',
  });
  const run = async <Answered>(document: string, variables: Input): Promise<Answered> =>
    (await harness.ask<{ answer: Answered }>(document, variables)).answer;
  return {
    ...harness,
    giftCards,
    giftCardServiceId,
    card: (balance) => ({ number: freshNumber(), pin: `0${balance}` }),
    stored: async (card, owner = {}) => {
      const input = { ...card, ...owner };
      const { giftCard } = await run<{ giftCard: { id: string } | null }>(DOCUMENTS.store, { input });
      if (!giftCard) throw new Error('The gift card was not stored.');
      return giftCard.id;
    },
    pay: (input, key) => run(DOCUMENTS.pay, { input: { amount: 1000, currency: 'USD', ...input }, key }),
    payment: (id) => run(DOCUMENTS.payment, { id }),
    refund: (id, input = {}, key) => run(DOCUMENTS.refund, { id, input, key }),
    balance: async (card) => {
      const input = { giftCards: [card] };
      const { balances } = await run<{ balances: readonly { balance: number | null }[] }>(DOCUMENTS.balance, {
        input,
      });
      const balance = balances[0]?.balance;
      if (balance == null) throw new Error('The balance is not known.');
      return balance;
    },
    requested: () => giftCards.calls.map(({ operation }) => operation).filter((verb) => verb !== 'balance'),
    stop: async () => {
      await giftCards.close();
      await harness.stop();
    },
  };
}
