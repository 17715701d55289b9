import type { SimulatorReply, SimulatorRequest } from '../../src/connectors/sandbox/simulator.ts';
import type { Verb } from './aims.ts';
import type { GiftEntry } from './gift-books.ts';
import { MEMORY_MS, type Place } from './house.ts';
import { note, type Stage } from './stage.ts';
import { count } from './tally.ts';
import type { Check } from './third-party.ts';

type Result = 'approved' | 'declined' | 'error' | 'pending';

/** A piece of work that a provider was asked for. What is approved was done; what is pending is not decided yet. */
export type Entry = {
  readonly place: Place;
  readonly key: string;
  readonly verb: Verb;
  readonly request: SimulatorRequest;
  /** When it arrived, and after how many commits of ours. */
  readonly at: number;
  readonly after: number;
  readonly id: string;
  /** The provider's id of the payment that it belongs to. */
  readonly paymentId: string;
  /** Of what was taken on: when it is decided, and how. */
  readonly later: { readonly at: number; readonly result: Result } | null;
  /** It waits for the buyer, of whom a look-up tells. */
  readonly awaitsBuyer: boolean;
  result: Result;
  code: string;
  /** Of an authorisation that was done: a cancel has undone it. */
  released: boolean;
  /** What was answered at first, and is answered again under the same key. */
  readonly first: SimulatorReply;
};

/** What the providers of a history have done, whatever they have answered: the judge. */
export type Books = {
  readonly entries: Entry[];
  readonly giftCards: GiftEntry[];
  /** What the third party that judges payments was asked. */
  readonly checks: Check[];
  /** Authorisations that were cancelled before they arrived, as place and key. */
  readonly fenced: Set<string>;
};

export const openBooks = (): Books => ({ entries: [], giftCards: [], checks: [], fenced: new Set() });

type Asked = { readonly stage: Stage; readonly books: Books; readonly place: Place };

/**
 * Does what it is asked, whether or not it makes sense. The provider `keys` does it once for each key that it remembers;
 * the others do it as often as they are asked. `lookup` and `keys` tell what became of it, after a while.
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

/** What the buyer has said on our page decides; who has said nothing yet is waited for. */
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
  // Another service may be asked.
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
    // A cancel names the payment only when it is known.
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

/** What comes of a request that nobody refuses. */
const answerTo = (asked: Asked, { operation, authorization_key: key }: SimulatorRequest): Said =>
  operation === 'cancel' ? cancel(asked, key ?? '') : APPROVED;

/** Ends what is not decided, keeps out what has not arrived, and may release what is authorised; a sale is done. */
function cancel({ stage, books, place }: Asked, key: string): Said {
  const { random } = stage;
  const authorisation = books.entries.find((one) => one.place === place && one.key === key);
  const isDone = authorisation?.result === 'approved';
  if (isDone && authorisation.request.capture === true) return DECLINED;
  // Else one provider says that it is cancelled, and another that there is nothing to cancel.
  if (authorisation?.result !== 'pending' && random.chance(0.4)) return DECLINED;
  if (!authorisation) books.fenced.add(`${place} ${key}`);
  else if (isDone) authorisation.released = true;
  else if (authorisation.result === 'pending') [authorisation.result, authorisation.code] = random.pick(NO);
  note(stage, place, `${isDone ? 'releases' : 'will not authorise'} ${key}`);
  return APPROVED;
}

/** Decides what was taken on and whose time has come, in the order of the times. */
export function decide(stage: Stage, books: Books, now: number): void {
  const due = books.entries
    .filter(({ result, later }) => result === 'pending' && later !== null && later.at <= now)
    .toSorted((a, b) => (a.later?.at ?? 0) - (b.later?.at ?? 0));
  for (const entry of due) {
    // One that was cancelled by an earlier one of these is decided by that.
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
