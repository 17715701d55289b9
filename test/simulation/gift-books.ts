import type {
  GiftCardReply,
  GiftCardRequest,
} from '../../src/connectors/sandbox/simulator/gift-card-simulator.ts';
import { MEMORY_MS, type Place } from './harness.ts';
import { note, type Stage } from './stage.ts';
import { count } from './tally.ts';

type Verb = Exclude<GiftCardRequest['operation'], 'balance'>;
type Requested = GiftCardRequest & { readonly operation: Verb };

/** An operation at a provider of gift cards, done or declined. */
export type GiftEntry = {
  readonly place: Place;
  readonly key: string;
  readonly verb: Verb;
  readonly amount: number;
  /** The time of arrival, and the number of our commits before. */
  readonly at: number;
  readonly after: number;
  readonly id: string;
  readonly result: 'approved' | 'refused';
  /** The redemption that the operation creates, reverses or refunds. */
  readonly redemptionId: string;
  /** The card, by number and PIN. A later operation has the card of its redemption. */
  readonly card: string;
  readonly reply: GiftCardReply;
};

type Desk = { readonly stage: Stage; readonly entries: GiftEntry[]; readonly place: Place };

/**
 * Serves a provider of gift cards. The PIN sets a card's initial balance, and no card is overdrawn. Money is returned
 * for every request, even a senseless one. The provider `keys` works once for each key that it remembers.
 */
export function serveGiftCards(desk: Desk, request: GiftCardRequest): GiftCardReply {
  const { stage, entries, place } = desk;
  if (request.operation === 'balance') return approval(desk, request, cardOf(request), null);
  const requested = { ...request, operation: request.operation };
  const key = requested.idempotency_key ?? '';
  const known = entries.find((one) => one.place === place && one.key === key);
  if (known && place === 'keys' && stage.now - known.at < MEMORY_MS) return known.reply;
  const entry = enter(desk, requested, key);
  entries.push(entry);
  count(stage.tally, 'done by the provider', `gift card ${entry.verb} ${entry.result}`);
  note(stage, `${place} gift cards`, `${entry.verb} ${entry.amount} of ${key}: ${entry.result}`);
  return entry.reply;
}

function enter(desk: Desk, requested: Requested, key: string): GiftEntry {
  const { stage, entries, place } = desk;
  const { operation: verb, amount = 0 } = requested;
  const id = `gcr_${key}${entries.some((one) => one.key === key) ? `_${entries.length}` : ''}`;
  const redemption = entries.find((one) => one.id === requested.redemption_id);
  const card = verb === 'redeem' ? cardOf(requested) : (redemption?.card ?? 'none');
  const refusal = stage.random.chance(stage.weather.refuse[verb])
    ? stage.random.pick(NO)
    : refusalOf(desk, requested, card, redemption);
  const work = { place, key, verb, amount, at: stage.now, after: stage.commits.length, id, card };
  const entry = { ...work, redemptionId: redemption?.id ?? id };
  if (refusal) return { ...entry, result: 'refused', reply: refusal };
  const done = { ...entry, result: 'approved', reply: NOTHING } as const;
  return { ...done, reply: approval({ ...desk, entries: [...entries, done] }, requested, card, id) };
}

const no = (result: 'validation_error' | 'server_error', code: string): GiftCardReply => ({
  ...{ result, code },
  message: `Simulated ${code}`,
});

const INSUFFICIENT = no('validation_error', 'insufficient_funds');
const NO: readonly GiftCardReply[] = [INSUFFICIENT, no('server_error', 'service_error')];
const NOTHING = no('server_error', 'unknown_error');

function refusalOf(
  desk: Desk,
  { operation, amount = 0 }: Requested,
  card: string,
  redemption: GiftEntry | undefined,
): GiftCardReply | null {
  if (operation === 'redeem') return amount > leftOn(desk, card) ? INSUFFICIENT : null;
  return redemption?.result === 'approved' ? null : NOTHING;
}

const cardOf = ({ card }: GiftCardRequest): string => `${card?.number ?? ''} ${card?.pin ?? ''}`;

/** Returns the current balance of a card. */
const leftOn = ({ entries }: Pick<Desk, 'entries'>, card: string): number =>
  entries
    .filter((one) => one.card === card && one.result === 'approved')
    .reduce(
      (left, { verb, amount }) => (verb === 'redeem' ? left - amount : left + amount),
      Number(card.split(' ')[1]),
    );

const approval = (
  desk: Desk,
  { amount, currency, card_currency: own }: GiftCardRequest,
  card: string,
  id: string | null,
): GiftCardReply => {
  const balance = Math.max(0, leftOn(desk, card));
  return {
    ...{ result: 'approved', id, balance, amount: amount ?? balance },
    currency: currency ?? own,
    expiry: '2099-12-31T23:59:59.000Z',
  };
};
