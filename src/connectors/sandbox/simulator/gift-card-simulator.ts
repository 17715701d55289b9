import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { AMOUNT_MAX } from '../../door.ts';

/** A request to the sandbox's gift card provider, in the provider's format. */
export type GiftCardRequest = {
  readonly operation: 'balance' | 'redeem' | 'unredeem' | 'refund';
  /** The merchant that owns the cards. */
  readonly merchant_id: string;
  /** Currency of all the merchant's cards. */
  readonly card_currency: string;
  /** Absent for `balance`. */
  readonly idempotency_key?: string;
  /** Present for `balance` and `redeem`. */
  readonly card?: { readonly number: string; readonly pin: string };
  /** Present for `unredeem` and `refund`. */
  readonly redemption_id?: string;
  readonly amount?: number;
  readonly currency?: string;
};

/** An answer of the gift card provider, in the provider's format. `balance` is the rest on the card. */
export type GiftCardReply =
  | {
      readonly result: 'approved';
      readonly id: string | null;
      readonly amount: number;
      readonly currency: string;
      readonly balance: number;
      /** ISO 8601. */
      readonly expiry: string;
    }
  | { readonly result: GiftCardFault; readonly code: string; readonly message: string };

export type GiftCardFault = 'validation_error' | 'server_error' | 'client_error';

/**
 * The state of the gift card provider. Requests run one after another, so two requests never spend the same
 * money.
 */
export type GiftCardBook = { answer(request: GiftCardRequest): GiftCardReply };

/**
 * Opens a book of gift cards, kept in memory. Each process starts with a new book.
 *
 * The PIN chooses an error or the first balance of a card. Each pair of number and PIN is therefore a separate
 * card.
 *
 * A repeated key returns the first answer and moves no money. A repeated key with another request is refused.
 */
export function openGiftCardBook(): GiftCardBook {
  const book: Book = {
    spent: new LRUCache(REMEMBERED),
    redemptions: new LRUCache(REMEMBERED),
  };
  const answered = new LRUCache<string, Answered>(REMEMBERED);
  return {
    answer: (request) => {
      if (request.operation === 'balance') return balance(book, request);
      const key = `${request.merchant_id} ${request.idempotency_key ?? ''}`;
      const text = JSON.stringify(request);
      const known = answered.get(key);
      if (known && known.request !== text)
        return refusal('validation_error', 'duplicate_transaction', 'The key belongs to another request');
      if (known) return known.reply;
      const reply = request.operation === 'redeem' ? redeem(book, request) : giveBack(book, request);
      answered.set(key, { request: text, reply });
      return reply;
    },
  };
}

/**
 * Cards, redemptions and keys to remember. The least recently used entry is dropped first. `max` would take the room of all of
 * them at once.
 */
const REMEMBERED = { maxSize: 100_000, sizeCalculation: () => 1 };

type Answered = { readonly request: string; readonly reply: GiftCardReply };

type Book = {
  /** Amount taken from each card so far. */
  readonly spent: LRUCache<string, number>;
  readonly redemptions: LRUCache<string, Redemption>;
};

type Card = {
  readonly name: string;
  readonly number: string;
  readonly initialBalance: number;
  readonly currency: string;
};

type Redemption = { readonly card: Card; readonly amount: number; readonly returned: number };

function balance(book: Book, request: GiftCardRequest): GiftCardReply {
  const card = cardOf(request);
  return 'result' in card ? card : approval(book, card, null, restOn(book, card));
}

function redeem(book: Book, request: GiftCardRequest): GiftCardReply {
  const card = cardOf(request);
  if ('result' in card) return card;
  const { amount = 0, currency } = request;
  const left = restOn(book, card);
  if (expiryOf(card.number) === PAST) return refusal('validation_error', 'expired_card');
  if (amount < 1) return refusal('validation_error', 'invalid_amount');
  if (currency !== card.currency)
    return refusal('validation_error', 'incorrect_currency', `The cards are in ${card.currency}`);
  if (amount > left) return refusal('validation_error', 'insufficient_funds');
  const id = referenceOf('gcr', request);
  book.redemptions.set(id, { card, amount, returned: 0 });
  book.spent.set(card.name, card.initialBalance - left + amount);
  return approval(book, card, id, amount);
}

/** Reverses a whole redemption, or refunds part of the rest. */
function giveBack(book: Book, request: GiftCardRequest): GiftCardReply {
  const { operation, redemption_id: redemptionId = '', amount = 0, currency } = request;
  const redemption = book.redemptions.get(redemptionId);
  if (!redemption)
    return refusal('client_error', 'unexpected_state', 'No redemption has this id since the sandbox started');
  const { card, returned } = redemption;
  const fault = operation === 'refund' ? refundFaults.get(amount % 10) : undefined;
  if (fault) return refusal(...fault);
  if (operation === 'unredeem' && returned > 0) return refusal('validation_error', 'unexpected_state');
  const most = redemption.amount - returned;
  if (amount < 1 || amount > most || (operation === 'unredeem' && amount < most))
    return refusal('validation_error', 'invalid_amount');
  if (currency !== card.currency) return refusal('validation_error', 'incorrect_currency');
  book.redemptions.set(redemptionId, { ...redemption, returned: returned + amount });
  book.spent.set(card.name, Math.max(0, (book.spent.get(card.name) ?? 0) - amount));
  return approval(book, card, referenceOf('gcb', request), amount);
}

/** Faults of a refund, by the last digit of the amount. */
const refundFaults: ReadonlyMap<number, readonly [GiftCardFault, string]> = new Map([
  [1, ['validation_error', 'invalid_amount']],
  [2, ['server_error', 'service_error']],
  [3, ['client_error', 'unknown_error']],
]);

/** Returns the card of a number and PIN, or the error that the PIN names. */
function cardOf({ merchant_id: owner, card_currency: currency, card }: GiftCardRequest) {
  const { number = '', pin = '' } = card ?? {};
  if (!/^[A-Z]{3}$/.test(currency))
    return refusal(
      'client_error',
      'invalid_service_configuration',
      'The card currency must have three capital letters',
    );
  const fault = faults.get(pin.charAt(0));
  if (fault) return refusal(fault, codes.get(pin.slice(1)) ?? 'unknown_error');
  const initialBalance = /^0\d*$/.test(pin) ? Number(pin) : Infinity;
  if (initialBalance > AMOUNT_MAX) return refusal('client_error', 'unknown_error');
  return { name: `${owner} ${number} ${pin}`, number, initialBalance, currency };
}

const faults: ReadonlyMap<string, GiftCardFault> = new Map([
  ['1', 'validation_error'],
  ['2', 'server_error'],
  ['3', 'client_error'],
]);

const codes: ReadonlyMap<string, string> = new Map([
  ['0000', 'invalid_gift_card'],
  ['0001', 'expired_card'],
  ['0002', 'inactive_card'],
  ['0003', 'invalid_service_credentials'],
  ['0004', 'invalid_amount'],
  ['0005', 'incorrect_currency'],
  ['0006', 'insufficient_funds'],
  ['0007', 'invalid_service_configuration'],
  ['0008', 'operation_canceled'],
  ['0009', 'service_error'],
  ['0010', 'service_network_error'],
  ['0011', 'unknown_error'],
]);

const restOn = (book: Book, { name, initialBalance }: Card): number =>
  initialBalance - (book.spent.get(name) ?? 0);

const approval = (book: Book, card: Card, id: string | null, amount: number): GiftCardReply => ({
  result: 'approved',
  id,
  amount,
  currency: card.currency,
  balance: restOn(book, card),
  expiry: expiryOf(card.number),
});

const refusal = (result: GiftCardFault, code: string, message = `Simulated ${code}`) =>
  ({ result, code, message }) as const;

const PAST = '2020-01-31T23:59:59.000Z';
const FUTURE = '2099-12-31T23:59:59.000Z';

const expiryOf = (number: string): string => (number.endsWith('0') ? PAST : FUTURE);

const referenceOf = (prefix: string, { merchant_id: owner, idempotency_key: key }: GiftCardRequest): string =>
  `${prefix}_${createHash('sha256')
    .update(`${owner} ${key ?? ''}`)
    .digest('hex')
    .slice(0, 24)}`;
