import type { MadeByHand } from '../acts.ts';
import type { RealPlace } from '../harness.ts';
import type { RealProviders } from '../real/providers.ts';
import { DUPLICATE, isSaleRequest, type Entry } from '../books.ts';
import { note } from '../stage.ts';
import type { Takers } from '../take-backs.ts';
import { count } from '../tally.ts';
import { send, withoutDigits } from '../webhooks.ts';
import { heldOf, type Held } from './limits.ts';
import { nameOf, totalOf } from './tell-books.ts';

// People move money in the pages of the sandbox's providers, and providers approve what they refused. The books change
// first. Signed webhooks come then: once, twice, late, in any order, or never.

type Acting = { readonly number: number; readonly process: number };

/** The hands at the providers of a history, which may be real ones. */
export type Handling = Takers & {
  readonly real: RealPlace | null;
  readonly byHand: RealProviders['byHand'];
};

/** Moves money by hand. Without a payment that allows the act, the act waits for `takeRest`. */
export function actByHand(takers: Handling, acting: Acting, act: MadeByHand): void {
  const { stage, books, real, byHand } = takers;
  if (real !== null) {
    if (!byHand(real, act, act.times === 0)) takers.waiting.push(() => actByHand(takers, acting, act));
    return;
  }
  const possible = books.entries.filter((entry) => isPossible(entry, act, books.entries));
  if (possible.length === 0) return void takers.waiting.push(() => actByHand(takers, acting, act));
  const entry = stage.random.pick(possible);
  if (act.what === 'approval') return approve(takers, acting, act, entry);
  make(takers, acting, act, entry);
}

/** Tells whether an authorisation allows an act. Only a provider that can be asked has hands, because the others tell no ids. */
function isPossible(entry: Entry, { what, isExcess }: MadeByHand, entries: readonly Entry[]): boolean {
  const { place, verb, result, key, code, released, expired, request } = entry;
  if (place === 'none' || verb !== 'authorize' || request.amount === 0) return false;
  if (what === 'approval')
    return (
      (result === 'declined' || result === 'error') && code !== DUPLICATE && !isStopped(key, entry, entries)
    );
  // A late approval is released, or it is a difference.
  if (result !== 'approved' || released || expired || entry.approvedLate === true) return false;
  const { authorized, captured, refunded, isEnded } = heldOf(entries, entry);
  if (what === 'refund') return captured > 0 && (isExcess || refunded < captured);
  if (isEnded || isSaleRequest(entry)) return false;
  // A total before another one, told late, looks like a decrease.
  if (what === 'increase') return captured === 0 && !(place === 'lookup' && authorized > request.amount);
  return what === 'capture' ? isExcess || captured < authorized : captured < authorized;
}

/** True if the buyer or a cancel has ended the authorisation, so that its provider approves nothing later. */
const isStopped = (key: string, { awaitsBuyer, place }: Entry, entries: readonly Entry[]): boolean =>
  awaitsBuyer ||
  entries.some(
    (one) => one.place === place && one.verb === 'cancel' && one.request.authorization_key === key,
  );

function make(takers: Takers, acting: Acting, act: MadeByHand, authorisation: Entry): void {
  const { stage, books } = takers;
  const { place, address, paymentId, request } = authorisation;
  const verb = act.what === 'approval' ? 'capture' : act.what;
  const held = heldOf(books.entries, authorisation);
  const amount = amountOf(act, held);
  const key = `by hand ${acting.number} of ${authorisation.key}`;
  const id = withoutDigits(`${verb} ${key}`);
  const { currency } = request;
  const entry: Entry = {
    ...{ place, address, key, verb, id, paymentId, at: stage.now, after: stage.commits.length },
    request: { operation: verb, idempotency_key: key, amount, currency, payment_id: paymentId },
    ...{ later: null, awaitsBuyer: false, heard: null, resumed: null, result: 'approved', code: '00' },
    ...{ released: false, expired: false, reversed: 0, reported: true },
    byHand: { isOfRest: verb === 'void' && held.captured > 0, isExcess: act.isExcess },
    first: { result: 'approved', id, amount, currency, code: '00', message: 'approved' },
  };
  books.entries.push(entry);
  count(stage.tally, 'made by hand', wordOf(entry));
  note(stage, place, `by hand: ${verb} ${amount} of ${authorisation.key}, told ${act.times} times`);
  const after = heldOf(books.entries, authorisation);
  tell(takers, acting, act, entry, {
    id: withoutDigits(`${id} told`),
    event: `${verb}.succeeded`,
    ...namesOf(takers, authorisation, { entry, held: after }),
    ...(verb !== 'void' && { amount, currency }),
    ...totalOf(entry, after),
  });
}

const wordOf = ({ verb, byHand }: Entry): string =>
  [verb, byHand?.isOfRest && 'of the rest', byHand?.isExcess && 'of too much'].filter(Boolean).join(' ');

/** Returns the amount of an act: a share of what is left, or more. A void releases all that is left. */
function amountOf(
  { what, share, isExcess }: MadeByHand,
  { authorized, captured, refunded }: ReturnType<typeof heldOf>,
): number {
  const left = what === 'refund' ? captured - refunded : authorized - captured;
  if (what === 'void') return left;
  if (what === 'increase') return Math.max(1, Math.round(authorized * (share ?? 0.2)));
  if (isExcess) return Math.max(left, 0) + 7;
  return share === null ? left : Math.max(1, Math.round(left * share));
}

type Named = { readonly entry: Entry; readonly held: Held };

/** Names the payment by its id or by the key of its authorisation. A copy of that key stands in the place of an own key. */
function namesOf({ stage }: Takers, { key, paymentId }: Entry, { entry, held }: Named) {
  const { verb } = entry;
  const way = stage.random.weighted([
    [4, 'payment'],
    [2, 'authorisation'],
    [2, 'copy'],
  ] as const);
  return {
    ...((verb !== 'void' || stage.random.chance(0.5)) && { payment_service_reference: nameOf(entry, held) }),
    ...(way === 'payment' && { payment_service_transaction_id: paymentId }),
    ...(way === 'authorisation' && { authorization_key: key }),
    ...(way === 'copy' && { idempotency_key: key, payment_service_transaction_id: paymentId }),
  };
}

/** Approves what was refused. The provider holds the buyer's money from now on. */
function approve(takers: Takers, acting: Acting, act: MadeByHand, entry: Entry): void {
  const { stage } = takers;
  [entry.result, entry.code] = ['approved', '00'];
  entry.approvedLate = true;
  count(stage.tally, 'made by hand', `approval of ${isSaleRequest(entry) ? 'a sale' : 'an authorisation'}`);
  note(stage, entry.place, `changes its mind about ${entry.key}`);
  // The sweep does not look for these.
  tell(takers, acting, { ...act, times: act.times || 1 }, entry, {
    id: withoutDigits(`${entry.id} approved late ${acting.number}`),
    event: 'authorization.succeeded',
    ...{ idempotency_key: entry.key, payment_service_reference: entry.id },
    ...{ amount: entry.request.amount, currency: entry.request.currency },
  });
}

type Body = Parameters<typeof send>[2]['body'];

const DELAYS_MS = [0, 0, 5_000, 66_000, 7_200_000];

/** Sends a webhook so many times. An act that the sweep cannot find is told at least once. */
function tell({ stage, ...takers }: Takers, acting: Acting, act: MadeByHand, entry: Entry, body: Body): void {
  const isFindable = !act.isExcess && entry.verb !== 'increase';
  const times = isFindable ? act.times : Math.max(act.times, 1);
  if (times === 0) count(stage.tally, 'made by hand', 'lost webhooks');
  const run = (): void => send({ stage, ...takers }, entry, { body, times, process: acting.process });
  const delayMs = stage.random.pick(DELAYS_MS);
  if (delayMs === 0) run();
  else stage.later.push({ at: stage.now + delayMs, run });
}
