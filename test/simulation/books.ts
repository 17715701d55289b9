import type { SimulatorReply, SimulatorRequest } from '../../src/connectors/sandbox/simulator/simulator.ts';
import type { Verb } from './aims.ts';
import { isBeyondHand } from './elsewhere/limits.ts';
import type { GiftEntry } from './gift-books.ts';
import { comparesRepeats, isReceivedOnly, MEMORY_MS, type Place } from './harness.ts';
import { note, type Stage } from './stage.ts';
import { count } from './tally.ts';
import type { Check } from './third-party.ts';

type Result = 'approved' | 'declined' | 'error' | 'pending';

/** An operation in a provider's books. An approved operation has taken effect. A pending operation is undecided. */
export type Entry = {
  readonly place: Place;
  /** The address of the payment service at the provider. */
  readonly address: string;
  readonly key: string;
  readonly verb: Verb;
  readonly request: SimulatorRequest;
  /** The time of arrival, and the number of our commits before. */
  readonly at: number;
  readonly after: number;
  readonly id: string;
  /** The provider's id of the payment. */
  readonly paymentId: string;
  /** The time and the result of a later decision. */
  later: { readonly at: number; readonly result: Result } | null;
  /** True while the provider waits for the buyer. A look-up says so. */
  readonly awaitsBuyer: boolean;
  /** The buyer's decision at the provider's own page. */
  heard: 'approved' | 'refused' | null;
  /** The last request to continue after a return, and whether the answer was that the provider still waits. */
  resumed: { readonly returned: string; readonly waits: boolean } | null;
  result: Result;
  code: string;
  /** True for an authorisation that a cancel has released. */
  released: boolean;
  /** True for an authorisation that has expired. Nothing more of it is captured or released. */
  expired: boolean;
  /** The part of a capture, sale or refund that the provider took back. */
  reversed: number;
  /** Present for an operation that a hand made in the provider's pages. */
  readonly byHand?: { readonly isOfRest: boolean; readonly isExcess: boolean };
  /** True for an authorisation that the provider approved after its refusal. */
  approvedLate?: boolean;
  /** True when a webhook reports the decision under our key. One with the provider's id alone may name nothing known. */
  reported: boolean;
  /** The first answer. A repeat under the same key gets the same answer. */
  readonly first: Served;
};

/** The real effects at the providers of a history, independent of their answers. The judge relies on these books. */
export type Books = {
  readonly entries: Entry[];
  readonly giftCards: GiftEntry[];
  /** The requests to the anti-fraud service. */
  readonly checks: Check[];
  /** Authorisations that were cancelled before their arrival, as place and key. */
  readonly fenced: Set<string>;
  /** Called after each decision of an entry. */
  readonly decided: (entry: Entry) => void;
};

export const openBooks = (decided: Books['decided']): Books => ({
  ...{ entries: [], giftCards: [], checks: [], fenced: new Set() },
  decided,
});

/** An operation of ours, with its key at the provider. Null: the id is the key. */
type Named = { readonly id: string; readonly provider_key: string | null };

/** Returns the books with our ids of the operations in place of their keys at the providers. */
export function inOurIds(books: Books, operations: readonly Named[]): Books {
  const ids = new Map(operations.flatMap(({ id, provider_key: key }) => (key === null ? [] : [[key, id]])));
  const renamed = <Kept extends { readonly key: string }>(entry: Kept): Kept => ({
    ...entry,
    key: ids.get(entry.key) ?? entry.key,
  });
  return { ...books, entries: books.entries.map(renamed), giftCards: books.giftCards.map(renamed) };
}

export type Requested = {
  readonly stage: Stage;
  readonly books: Books;
  readonly place: Place;
  readonly address: string;
};

/**
 * Carries out a request, even a senseless one. The provider `keys` works once for each key that it remembers. The
 * others work for every request. `lookup` and `keys` answer look-ups after a while.
 */
export function serve(requested: Requested, request: SimulatorRequest): Served {
  const { stage, books, place } = requested;
  decide(stage, books, stage.now);
  if (request.operation === 'status') return tell(requested, request);
  if (request.operation === 'resume') return resume(requested, request);
  const key = request.idempotency_key;
  const known = books.entries.find((one) => one.place === place && one.key === key);
  if (known && place === 'keys' && stage.now - known.at < MEMORY_MS) return repeat(known, request);
  const entry = enter(requested, { ...request, operation: request.operation });
  books.entries.push(entry);
  count(stage.tally, 'done by the provider', `${entry.verb} ${entry.result}`);
  note(stage, place, `${entry.verb} ${request.amount} of ${key}: ${entry.result}`);
  if (entry.result !== 'pending') books.decided(entry);
  else if (entry.later && stage.weather.report > 0)
    stage.later.push({ at: entry.later.at, run: () => decide(stage, books, stage.now) });
  return entry.first;
}

/** An answer. A provider that compares repeats sends some with another status than 200. */
export type Served = SimulatorReply & {
  readonly http?: { readonly status: number; readonly headers: Readonly<Record<string, string>> };
};

/**
 * Answers a repeat. Some providers refuse a repeat with other parameters, because the key is in use. They also repeat their
 * own failure.
 */
function repeat({ first, request: before, address }: Entry, request: SimulatorRequest): Served {
  if (!comparesRepeats(address)) return first;
  if (JSON.stringify(before) !== JSON.stringify(request))
    return { ...first, http: { status: 422, headers: {} } };
  return first.http
    ? { ...first, http: { ...first.http, headers: { 'idempotent-replayed': 'true' } } }
    : first;
}

/** The probability that a provider which compares repeats fails after it has begun, and keeps that answer. */
const FAILS = 0.1;

/**
 * Continues an authorisation after the buyer's return, by the decision at the page. The provider works once for the key
 * of the authorisation. Another key for the same payment is another payment.
 */
function resume(requested: Requested, request: SimulatorRequest): SimulatorReply {
  const { stage, books, place } = requested;
  const { amount, currency, idempotency_key: key, payment_id: paymentId } = request;
  const found = books.entries.find((one) => one.place === place && one.id === paymentId);
  if (!found) return { result: 'not_found', id: 'none', amount, currency, code: '', message: '' };
  if (found.key !== key) {
    const again = { ...found, key, id: `${found.id}_${books.entries.length}`, request };
    books.entries.push(again);
    decideReturn(requested, again);
    return replyOf(again);
  }
  const returned = JSON.stringify(request.returned);
  if (found.resumed && !found.resumed.waits && found.resumed.returned !== returned)
    stage.surprises.push(`${key} was continued with ${returned} after ${found.resumed.returned}`);
  if (waits(found)) decideReturn(requested, found);
  found.resumed = { returned, waits: waits(found) };
  return replyOf(found);
}

/** Decides after a return or a client's completion: at once, or later. Without the buyer's decision the provider still waits. */
function decideReturn(requested: Requested, entry: Entry): void {
  const { stage } = requested;
  // A client completes a payment only after the buyer's approval.
  if (entry.request.client !== undefined) entry.heard = 'approved';
  if (entry.heard === 'approved' && stage.random.chance(stage.weather.accept.authorize))
    entry.later = { at: stage.now + stage.random.pick(DECIDED_AFTER_MS), result: 'approved' };
  else if (entry.heard) hearBuyer(requested, entry, entry.heard);
}

/** True while the provider waits for the buyer. */
const waits = ({ awaitsBuyer, result, later }: Pick<Entry, 'awaitsBuyer' | 'result' | 'later'>): boolean =>
  awaitsBuyer && result === 'pending' && later === null;

function tell(requested: Requested, request: SimulatorRequest): SimulatorReply {
  const { stage, books, place } = requested;
  const { amount, currency, idempotency_key: key } = request;
  const found = books.entries.find((one) => one.place === place && one.key === key);
  const isVisible = found && place !== 'none' && stage.now - found.at >= stage.weather.lagMs;
  if (isVisible) {
    if (waits(found)) hearBuyer(requested, found, request.approval);
    // Some reports of an expiry do not tell its moment. Then only this answer tells whether a renewed authorisation still holds.
    return found.expired ? { ...replyOf(found), result: EXPIRED[0], code: EXPIRED[1] } : replyOf(found);
  }
  return { result: 'not_found', id: 'none', amount, currency, code: '', message: '' };
}

/** Decides by the buyer's decision on a page. Without a decision the provider waits. */
export function hearBuyer(
  requested: Requested,
  entry: Entry,
  approval: Exclude<SimulatorRequest['approval'], undefined> = 'pending',
): void {
  const { stage, books, place } = requested;
  if (approval === 'pending') return;
  const isRefused = stage.random.chance(stage.weather.refuse.authorize);
  const approved = isRefused ? stage.random.pick(NO) : answerTo(requested, entry.request);
  [entry.result, entry.code] = approval === 'approved' ? approved : WITHOUT_APPROVAL[approval];
  count(stage.tally, 'decided later', `authorize ${entry.result}`);
  note(stage, place, `hears "${approval}" of ${entry.key}: ${entry.result}`);
  books.decided(entry);
}

/** Answers about an entry. A provider that only receives requests leaves every follow-up open in its answers. */
const replyOf = (entry: Omit<Entry, 'first'>): SimulatorReply => {
  const { id, request, verb, address } = entry;
  const isOpen = verb !== 'authorize' && isReceivedOnly(address);
  const { result, code } = isOpen ? RECEIVED : entry;
  const { amount, currency } = request;
  return {
    ...{ result, id, amount, currency, code, message: result },
    ...(waits(entry) && wayOf(request)),
  };
};

/** Tells how the buyer approves: in a client, at a shop with a reference, or at a page. */
function wayOf({ client, voucher, approval_page: page = 'https://page.simulation/' }: SimulatorRequest) {
  if (client !== undefined) return { session: true } as const;
  return { approval_url: page, ...(voucher && { payment_reference: '55501234' }) };
}

const DECIDED_AFTER_MS = [0, 30_000, 300_000, 7_200_000];

const NO: readonly Reported[] = [
  ['declined', 'insufficient_funds'],
  // A decline after which the payment may try another service.
  ['declined', 'issuer_decline'],
  ['error', 'service_error'],
];

/** The payment looks like an earlier one. No other service may try the payment. */
export const DUPLICATE = 'duplicate_transaction';
const REPEATED: Reported = ['declined', DUPLICATE];

/** The probability that a provider which compares repeats takes a payment for a duplicate. */
const LOOKS_REPEATED = 0.15;

function enter(requested: Requested, request: SimulatorRequest & { readonly operation: Verb }): Entry {
  const { stage, books, place, address } = requested;
  const { random, weather } = stage;
  const { operation: verb, idempotency_key: key } = request;
  const id = `${verb}_${key}${books.entries.some((one) => one.key === key) ? `_${books.entries.length}` : ''}`;
  const compares = comparesRepeats(address);
  const isRepeated = compares && verb === 'authorize' && random.chance(LOOKS_REPEATED);
  const refused = isRepeated ? REPEATED : random.chance(weather.refuse[verb]) ? random.pick(NO) : null;
  // A debit of a bank account is never decided at once.
  const isDebit = request.bank !== undefined;
  const takesOn = request.may_decide_later === true && (isDebit || random.chance(weather.accept[verb]));
  const awaitsBuyer =
    verb === 'authorize' && (request.approval_page ?? request.return_url) !== undefined && !refused;
  const later =
    takesOn && !awaitsBuyer
      ? ({ at: stage.now + random.pick(DECIDED_AFTER_MS), result: refused?.[0] ?? 'approved' } as const)
      : null;
  const fenced = books.fenced.has(`${place} ${key}`);
  const [result, code]: Reported = fenced
    ? random.pick(NO)
    : takesOn || awaitsBuyer
      ? PENDING
      : (refused ?? answerTo(requested, request));
  const entry = {
    ...{ place, address, key, verb, request, at: stage.now, after: stage.commits.length, id },
    // A cancel names the payment only when its id is known.
    paymentId: request.payment_id ?? id,
    later: fenced ? null : later,
    awaitsBuyer: awaitsBuyer && !fenced,
    ...{ heard: null, resumed: null },
    ...{ result, code, released: false, expired: false, reversed: 0, reported: false },
  };
  const fails = compares && weather.fault[verb] > 0 && random.chance(FAILS);
  return {
    ...entry,
    first: { ...replyOf(entry), ...(fails && { http: { status: 500, headers: {} } }) },
  };
}

/** Tells whether an authorisation also captures. */
export const isSaleRequest = ({ verb, request }: Pick<Entry, 'verb' | 'request'>): boolean =>
  verb === 'authorize' && request.capture === true;

type Reported = readonly [result: Result, code: string];

const RECEIVED = { result: 'pending', code: 'received' } as const;
const PENDING: Reported = ['pending', '01'];
const WITHOUT_APPROVAL = {
  refused: ['error', 'cancelled_buyer_approval'],
  expired: ['error', 'incomplete_buyer_approval'],
} as const satisfies Record<string, Reported>;
const APPROVED: Reported = ['approved', '00'];
const DECLINED: Reported = ['declined', 'invalid_operation'];
const EXPIRED: Reported = ['declined', 'expired_authorization'];

/**
 * Returns the answer to a request without a decline. An expired authorisation is neither captured, nor released, nor
 * changed.
 */
function answerTo(requested: Requested, request: SimulatorRequest): Reported {
  const { operation, authorization_key: key, payment_id: payment } = request;
  const { entries } = requested.books;
  const asked = { verb: operation as Verb, amount: request.amount, total: request.total_amount };
  const cancelled = operation === 'cancel' ? entries.find((one) => one.key === key)?.paymentId : undefined;
  const paymentId = payment ?? cancelled ?? '';
  if (isBeyondHand(entries, { place: requested.place, paymentId }, asked)) return DECLINED;
  if (operation === 'cancel') return cancel(requested, key ?? '');
  const isEnd = operation !== 'authorize' && operation !== 'refund';
  const isExpired = entries.some(({ id, expired }) => id === payment && expired);
  return isEnd && isExpired ? EXPIRED : APPROVED;
}

/**
 * Ends a pending authorisation, blocks one that has not arrived, and may release an authorised payment. A sale counts
 * as done.
 */
function cancel({ stage, books, place }: Requested, key: string): Reported {
  const { random } = stage;
  const authorisation = books.entries.find((one) => one.place === place && one.key === key);
  const isDone = authorisation?.result === 'approved';
  if (isDone && authorisation.request.capture === true) return DECLINED;
  // Otherwise one provider would report a cancel, and another that nothing can be cancelled.
  if (authorisation?.result !== 'pending' && random.chance(0.4)) return DECLINED;
  if (!authorisation) books.fenced.add(`${place} ${key}`);
  else if (isDone && authorisation.expired) return DECLINED;
  else if (isDone) authorisation.released = true;
  else if (authorisation.result === 'pending') {
    [authorisation.result, authorisation.code] = random.pick(NO);
    books.decided(authorisation);
  }
  note(stage, place, `${isDone ? 'releases' : 'will not authorise'} ${key}`);
  return APPROVED;
}

/** Decides every pending operation whose time has come, in the order of the times. */
export function decide(stage: Stage, books: Books, now: number): void {
  const due = books.entries
    .filter(({ result, later }) => result === 'pending' && later !== null && later.at <= now)
    .toSorted((a, b) => (a.later?.at ?? 0) - (b.later?.at ?? 0));
  for (const entry of due) {
    // An earlier cancel in this loop may have decided the entry already.
    if (entry.result !== 'pending' || !entry.later) continue;
    const { result } = entry.later;
    [entry.result, entry.code] =
      result === 'approved'
        ? answerTo({ stage, books, place: entry.place, address: entry.address }, entry.request)
        : [result, 'issuer_decline'];
    count(stage.tally, 'decided later', `${entry.verb} ${entry.result}`);
    note(stage, entry.place, `decides the ${entry.verb} of ${entry.key}: ${entry.result}`);
    books.decided(entry);
  }
}
