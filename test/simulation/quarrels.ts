import type { DisputeQuestion, DisputeReply } from '../../src/connectors/sandbox/dispute-responses.ts';
import type { DisputeStage, DisputeStatus } from '../../src/connectors/notices/disputes.ts';
import { isSaleRequest, type Entry } from './books.ts';
import { BEGIN_MS } from './harness.ts';
import { note, type Stage } from './stage.ts';
import { count } from './tally.ts';
import type { Takers } from './take-backs.ts';
import { namesOf, send, withoutDigits } from './webhooks.ts';

// The providers raise disputes of captured money, move them through their stages, and take the merchant's responses. They
// change their own books first, and send webhooks then: late, twice, in any order.

/** A dispute in a provider's books. */
export type Quarrel = {
  readonly reference: string;
  /** The disputed capture or sale. */
  readonly of: Entry;
  readonly amount: number;
  stage: DisputeStage;
  status: DisputeStatus;
  /** The money that the provider took for the dispute. */
  lost: number;
  /** The time of the last change, since the history began. */
  at: number;
  /** The answered responses, by their keys. */
  readonly answered: Map<string, DisputeReply>;
};

/** The providers as parties of disputes. The acts in `waiting` found no money to dispute yet. */
export type Quarrelling = Takers & { readonly quarrels: Quarrel[] };

type Position = readonly [stage: DisputeStage, status: DisputeStatus];

type Quarrelled = { readonly times: number; readonly process: number };

/** Raises a dispute, or moves one on. Without money to dispute, the act waits for `takeRest`. */
export function quarrel(parties: Quarrelling, act: Quarrelled): void {
  const { stage, quarrels } = parties;
  const going = quarrels.filter((one) => nextOf(one).length > 0);
  const moved = going.length > 0 && stage.random.chance(0.65) ? stage.random.pick(going) : null;
  const changed = moved ? move(stage, moved) : raise(parties);
  if (changed) reportQuarrel(parties, changed, act);
  else parties.waiting.push(() => quarrel(parties, act));
}

/** Raises a dispute of money that no other dispute is about. */
function raise({ stage, books, quarrels }: Quarrelling): Quarrel | null {
  const { random } = stage;
  const disputable = books.entries.flatMap((entry) => {
    const taken = quarrels.reduce((sum, { of, amount }) => (of === entry ? sum + amount : sum), 0);
    const left = entry.request.amount - taken;
    const isCapture = entry.verb === 'capture' || isSaleRequest(entry);
    return isCapture && entry.result === 'approved' && left > 0 ? [{ entry, left }] : [];
  });
  if (disputable.length === 0) return null;
  const { entry, left } = random.pick(disputable);
  const made: Quarrel = {
    reference: withoutDigits(`dp_${entry.id} ${quarrels.length}`),
    of: entry,
    amount: random.chance(0.5) ? left : Math.max(1, Math.round(left * 0.4)),
    stage: random.pick(['inquiry', 'chargeback', 'chargeback'] as const),
    status: 'needs_response',
    ...{ lost: 0, at: stage.now, answered: new Map() },
  };
  quarrels.push(made);
  note(stage, entry.place, `raises ${made.reference} of ${made.amount}`);
  return made;
}

const AGAIN: Position = ['pre_arbitration', 'needs_response'];

/** Returns the possible next positions of a dispute. Nothing follows the end of the last stage. */
function nextOf({ stage, status }: Pick<Quarrel, 'stage' | 'status'>): readonly Position[] {
  const isOpen = status === 'needs_response' || status === 'under_review' || status === 'expired';
  const expires: readonly Position[] = status === 'needs_response' ? [[stage, 'expired']] : [];
  if (stage === 'inquiry')
    return [
      ...expires,
      ...(isOpen ? [['inquiry', 'closed'] as const] : []),
      ['chargeback', 'needs_response'],
    ];
  if (isOpen) return [...expires, [stage, 'won'], [stage, 'lost']];
  return stage === 'chargeback' && status !== 'accepted' ? [AGAIN] : [];
}

function move(stage: Stage, one: Quarrel): Quarrel {
  const [next, status] = stage.random.pick(nextOf(one));
  put(stage, one, next, status);
  return one;
}

/** Puts a dispute into a position, at a later time of the provider's clock. Books the money that the position decides. */
function put(stage: Stage, one: Quarrel, next: DisputeStage, status: DisputeStatus): void {
  one.stage = next;
  one.status = status;
  one.at = Math.max(stage.now, one.at + 1_000);
  if (status === 'won') one.lost = 0;
  if (status === 'lost' || status === 'accepted') one.lost = one.amount;
  count(stage.tally, 'disputes', `${next} ${status}`);
  note(stage, one.of.place, `puts ${one.reference} to ${next} ${status}`);
}

const HOUR = 3_600_000;

/** Overtaken reports and reports before our own answer. Each is repeated until it is taken. */
const DELAYS_MS = [0, 0, 0, 5_000, 66_000, 3 * HOUR];

function reportQuarrel(parties: Quarrelling, one: Quarrel, { times, process }: Quarrelled): void {
  const { stage } = parties;
  const { of, amount, reference, status, at } = one;
  const isNew = status === 'needs_response';
  const body = {
    id: withoutDigits(`${reference} ${at}`),
    event: isNew ? 'dispute.created' : 'dispute.updated',
    ...namesOf(stage, of),
    ...{ dispute_reference: reference, stage: one.stage, status, reason: 'fraudulent', reason_code: '10.4' },
    ...{ amount, currency: of.request.currency, occurred_at: momentOf(at) },
    ...(isNew && { respond_by: momentOf(at + stage.random.pick([HOUR, 48 * HOUR])) }),
  };
  const run = (): void => {
    note(stage, of.place, `reports ${JSON.stringify(body)}`);
    send(parties, of, { body, times, process });
  };
  const delayMs = stage.random.pick(DELAYS_MS);
  if (delayMs === 0) run();
  else stage.later.push({ at: stage.now + delayMs, run });
}

const momentOf = (ms: number): string => new Date(BEGIN_MS + ms).toISOString();

/**
 * Answers the merchant's response, once for each key. A dispute that has moved on takes none. Some accepted responses are
 * also reported.
 */
export function answerResponse(
  parties: Quarrelling,
  { operation, dispute, stage: meant, idempotency_key: key }: DisputeQuestion,
): DisputeReply {
  const { stage, quarrels } = parties;
  const found = quarrels.find(({ reference }) => reference === dispute);
  if (!found) return { result: 'refused', code: 'no_such_dispute' };
  const known = found.answered.get(key);
  if (known) return known;
  const isOpen = found.stage === meant && found.status === 'needs_response';
  const reply: DisputeReply = isOpen
    ? { result: 'done', code: '00' }
    : { result: 'refused', code: 'dispute_closed' };
  found.answered.set(key, reply);
  count(stage.tally, 'responses to disputes', `${operation} ${reply.result}`);
  note(stage, found.of.place, `${operation} of ${dispute}: ${reply.result}`);
  if (!isOpen) return reply;
  put(stage, found, meant, operation === 'accept_dispute' ? 'accepted' : 'under_review');
  if (stage.random.chance(0.5)) reportQuarrel(parties, found, { times: 1, process: 0 });
  return reply;
}
