import type { SimulatorReply, SimulatorRequest } from '../../src/connectors/sandbox/simulator.ts';
import type { Verb } from './aims.ts';
import type { GiftEntry } from './gift-books.ts';
import { MEMORY_MS, type Place } from './house.ts';
import { note, type Stage } from './stage.ts';
import { count } from './tally.ts';
import type { Check } from './third-party.ts';

type Result = 'approved' | 'declined' | 'error' | 'pending';

/** An operation in a provider's books. An approved operation has taken effect. A pending operation is undecided. */
export type Entry = {
  readonly place: Place;
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
  readonly later: { readonly at: number; readonly result: Result } | null;
  /** True while the provider waits for the buyer. A look-up says so. */
  readonly awaitsBuyer: boolean;
  result: Result;
  code: string;
  /** True for an authorisation that a cancel has released. */
  released: boolean;
  /** The first answer. A repeat under the same key gets the same answer. */
  readonly first: SimulatorReply;
};

/** The real effects at the providers of a history, independent of their answers. The judge relies on these books. */
export type Books = {
  readonly entries: Entry[];
  readonly giftCards: GiftEntry[];
  /** The requests to the anti-fraud service. */
  readonly checks: Check[];
  /** Authorisations that were cancelled before their arrival, as place and key. */
  readonly fenced: Set<string>;
};

export const openBooks = (): Books => ({ entries: [], giftCards: [], checks: [], fenced: new Set() });

type Asked = { readonly stage: Stage; readonly books: Books; readonly place: Place };

/**
 * Carries out a request, even a senseless one. The provider `keys` works once for each key that it remembers. The
 * others work for every request. `lookup` and `keys` answer look-ups after a while.
 */
export function serve(asked: Asked, request: SimulatorRequest): SimulatorReply {
  const { stage, books, place } = asked;
  decide(stage, books, stage.now);
  if (request.operation === 'status') return tell(asked, request);
  const key = request.idempotency_key;
  const known = books.entries.find((one) => one.place === place && one.key === key);
  if (known && place === 'keys' && stage.now - known.at < MEMORY_MS) return known.first;
  const entry = enter(asked, { ...request, operation: request.operation });
  books.entries.push(entry);
  count(stage.tally, 'done by the provider', `${entry.verb} ${entry.result}`);
  note(stage, place, `${entry.verb} ${request.amount} of ${key}: ${entry.result}`);
  return entry.first;
}

function tell(asked: Asked, request: SimulatorRequest): SimulatorReply {
  const { stage, books, place } = asked;
  const { amount, currency, idempotency_key: key } = request;
  const found = books.entries.find((one) => one.place === place && one.key === key);
  const isVisible = found && place !== 'none' && stage.now - found.at >= stage.weather.lagMs;
  if (isVisible) {
    if (found.awaitsBuyer && found.result === 'pending') hearBuyer(asked, found, request.approval);
    return replyOf(found);
  }
  return { result: 'not_found', id: 'none', amount, currency, code: '', message: '' };
}

/** Decides by the buyer's decision on our page. Without a decision the provider waits. */
function hearBuyer(
  asked: Asked,
  entry: Entry,
  approval: Exclude<SimulatorRequest['approval'], undefined> = 'pending',
): void {
  const { stage, place } = asked;
  if (approval === 'pending') return;
  const isRefused = stage.random.chance(stage.weather.refuse.authorize);
  const approved = isRefused ? stage.random.pick(NO) : answerTo(asked, entry.request);
  [entry.result, entry.code] = approval === 'approved' ? approved : WITHOUT_APPROVAL[approval];
  count(stage.tally, 'decided later', `authorize ${entry.result}`);
  note(stage, place, `hears "${approval}" of ${entry.key}: ${entry.result}`);
}

const replyOf = ({
  id,
  result,
  code,
  awaitsBuyer,
  request: { amount, currency, approval_page: page },
}: Omit<Entry, 'first'>): SimulatorReply => ({
  ...{ result, id, amount, currency, code },
  message: result,
  ...(awaitsBuyer && result === 'pending' && page !== undefined && { approval_url: page }),
});

const DECIDED_AFTER_MS = [0, 30_000, 300_000, 7_200_000];

const NO: readonly Said[] = [
  ['declined', 'insufficient_funds'],
  // A decline after which the payment may try another service.
  ['declined', 'issuer_decline'],
  ['error', 'service_error'],
];

function enter(asked: Asked, request: SimulatorRequest & { readonly operation: Verb }): Entry {
  const { stage, books, place } = asked;
  const { random, weather } = stage;
  const { operation: verb, idempotency_key: key } = request;
  const id = `${verb}_${key}${books.entries.some((one) => one.key === key) ? `_${books.entries.length}` : ''}`;
  const refused = random.chance(weather.refuse[verb]) ? random.pick(NO) : null;
  const takesOn = request.may_decide_later === true && random.chance(weather.accept[verb]);
  const awaitsBuyer = verb === 'authorize' && request.approval_page !== undefined && !refused;
  const later =
    takesOn && !awaitsBuyer
      ? ({ at: stage.now + random.pick(DECIDED_AFTER_MS), result: refused?.[0] ?? 'approved' } as const)
      : null;
  const fenced = books.fenced.has(`${place} ${key}`);
  const [result, code]: Said = fenced
    ? random.pick(NO)
    : takesOn || awaitsBuyer
      ? PENDING
      : (refused ?? answerTo(asked, request));
  const entry = {
    ...{ place, key, verb, request, at: stage.now, after: stage.commits.length, id },
    // A cancel names the payment only when its id is known.
    paymentId: request.payment_id ?? id,
    later: fenced ? null : later,
    awaitsBuyer: awaitsBuyer && !fenced,
    ...{ result, code, released: false },
  };
  return { ...entry, first: replyOf(entry) };
}

type Said = readonly [result: Result, code: string];

const PENDING: Said = ['pending', '01'];
const WITHOUT_APPROVAL = {
  refused: ['error', 'cancelled_buyer_approval'],
  expired: ['error', 'incomplete_buyer_approval'],
} as const satisfies Record<string, Said>;
const APPROVED: Said = ['approved', '00'];
const DECLINED: Said = ['declined', 'invalid_operation'];

/** Returns the answer to a request without a decline. */
const answerTo = (asked: Asked, { operation, authorization_key: key }: SimulatorRequest): Said =>
  operation === 'cancel' ? cancel(asked, key ?? '') : APPROVED;

/**
 * Ends a pending authorisation, blocks one that has not arrived, and may release an authorised payment. A sale counts
 * as done.
 */
function cancel({ stage, books, place }: Asked, key: string): Said {
  const { random } = stage;
  const authorisation = books.entries.find((one) => one.place === place && one.key === key);
  const isDone = authorisation?.result === 'approved';
  if (isDone && authorisation.request.capture === true) return DECLINED;
  // Otherwise one provider would report a cancel, and another that nothing can be cancelled.
  if (authorisation?.result !== 'pending' && random.chance(0.4)) return DECLINED;
  if (!authorisation) books.fenced.add(`${place} ${key}`);
  else if (isDone) authorisation.released = true;
  else if (authorisation.result === 'pending') [authorisation.result, authorisation.code] = random.pick(NO);
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
        ? answerTo({ stage, books, place: entry.place }, entry.request)
        : [result, 'issuer_decline'];
    count(stage.tally, 'decided later', `${entry.verb} ${entry.result}`);
    note(stage, entry.place, `decides the ${entry.verb} of ${entry.key}: ${entry.result}`);
  }
}
