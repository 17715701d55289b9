import type { Verb } from '../../../src/connectors/interface/requests.ts';
import type { DoubleRequest } from '../../connectors/double-server.ts';
import { createMollieDouble, type MollieDouble } from '../../connectors/mollie/double.ts';
import type { Part, Payment } from '../../connectors/mollie/world.ts';
import type { Entry } from '../books.ts';
import { BEGIN_MS } from '../harness.ts';
import type { Stage } from '../stage.ts';
import type { ConnectorCall } from './calls.ts';
import type { Account } from './connectors.ts';
import { BY_HAND, idsOf, shareOf, type Effect, type Handled, type RealDouble } from './double.ts';

/** The events at Mollie that its books do not tell. */
type Notes = {
  /** The calls that ended a payment, by the payment. */
  readonly ends: Map<string, ConnectorCall>;
  /** The keys of cancels, by the payment that each met. */
  readonly cancels: Map<string, string>;
  /** The refunds that failed after their success. */
  readonly taken: Set<string>;
  /** The payments that a hand released. */
  readonly byHand: Set<string>;
};

/** Opens the double of Mollie for an account. */
export function openMollie(stage: Stage, { mollieKey }: Account): RealDouble {
  const { random } = stage;
  const now = (): Date => new Date(BEGIN_MS + stage.now);
  const double = createMollieDouble({ now, newId: idsOf(stage), apiKey: mollieKey });
  const notes: Notes = { ends: new Map(), cancels: new Map(), taken: new Set(), byHand: new Set() };
  let fails = 0;
  let takesBack = 0;
  return {
    isFor: ({ headers }) => headers['authorization'] === `Bearer ${mollieKey}`,
    serve: async (request, call, fault) => {
      if (fault) double.failNext([fault], '');
      const served = double.handle(request);
      if (call) follow(double, notes, call);
      const met = PAYMENT.exec(request.path)?.[1] ?? fenceOf(double, request);
      if (call?.verb === 'cancel' && met !== undefined) notes.cancels.set(call.key, met);
      return served;
    },
    effects: () => double.payments().flatMap((payment) => effectsOf(payment, notes)),
    owed: () => {
      double.hands.decideOpen();
      if (takesBack > 0 && takeBack(stage, double, notes)) takesBack -= 1;
      return double.webhooks().map(({ body, headers }) => ({ body, sign: () => headers, onlyNames: true }));
    },
    byHand: (handled) => double.payments().some((payment) => act(double, notes, payment, handled)),
    refuse: (verb) => {
      if (verb === 'authorize') fails += 1;
      else if (verb === 'refund' && random.chance(0.5)) takesBack += 1;
      else if (verb === 'capture' || verb === 'refund') double.hands.endNext('failed');
    },
    decideAtPage: (token, reported) => {
      const payment = double.payments().find(({ redirectUrl }) => redirectUrl?.includes(token));
      if (!payment) return null;
      if (reported === 'approved' && payment.status === 'open' && fails > 0) {
        fails -= 1;
        double.hands.fail(payment.id, random.pick(REASONS));
      } else double.hands.decide(payment.id, DECISIONS[reported]);
      return {};
    },
  };
}

/** Finds the payment that took the key of a request. Nobody can pay it. */
const fenceOf = (double: MollieDouble, { headers }: DoubleRequest): string | undefined =>
  double.payments().find((payment) => payment.key === headers['idempotency-key'] && isFence(payment))?.id;

const isFence = ({ metadata }: Payment): boolean => JSON.stringify(metadata).includes('paygraph_fence');

const PAYMENT = /^\/v2\/payments\/(tr_\w+)/;

const REASONS = ['refused_by_issuer', 'insufficient_funds', null];

const DECISIONS = { approved: 'approve', refused: 'refuse', nothing: 'nothing' } as const;

/** Moves money by hand. False if the payment does not allow the act. */
function act(double: MollieDouble, notes: Notes, payment: Payment, { what, share }: Handled): boolean {
  const { id, status, amount, captureMode, captures, refunds } = payment;
  if (what === 'refund') {
    const taken = captureMode === 'manual' ? captures.find(isDone)?.amount.minor : amount.minor;
    if (status !== 'paid' || taken === undefined || refunds.length > 0) return false;
    double.hands.refund(id, shareOf(taken, share));
    return true;
  }
  if (status !== 'authorized' || captures.length > 0) return false;
  if (what === 'capture') double.hands.capture(id, shareOf(amount.minor, share));
  else if (what === 'void') {
    double.hands.release(id);
    notes.byHand.add(id);
  } else return false;
  return true;
}

const isDone = ({ status }: Part): boolean => status === 'succeeded';

/** Notes the call in which a payment ended. */
function follow(double: MollieDouble, { ends, byHand }: Notes, call: ConnectorCall): void {
  for (const { id, status } of double.payments())
    if (status === 'canceled' && !ends.has(id) && !byHand.has(id)) ends.set(id, call);
}

/** Fails a refund after its success. False if there is none. */
function takeBack({ random }: Stage, double: MollieDouble, { taken }: Notes): boolean {
  const done = double
    .payments()
    .flatMap(({ refunds }) => refunds.filter(({ status }) => status === 'refunded'));
  if (done.length === 0) return false;
  const { id } = random.pick(done);
  taken.add(id);
  double.hands.failRefund(id);
  return true;
}

const RESULTS: Readonly<Record<string, Entry['result']>> = {
  ...{ pending: 'pending', succeeded: 'approved', queued: 'pending', refunded: 'approved' },
  ...{ failed: 'declined', canceled: 'declined' },
};

function effectsOf(payment: Payment, notes: Notes): readonly Effect[] {
  const { id, key, amount, status, authorizedAt, paidAt, captureMode, captures, refunds } = payment;
  const canceledBy = [...notes.cancels].flatMap(([by, met]) => (met === id ? [by] : []));
  const end = notes.ends.get(id);
  const by = end?.verb === 'void' || end?.verb === 'cancel' ? end.verb : null;
  const isMade = (authorizedAt ?? paidAt) !== null;
  const isEnded = status === 'canceled' || status === 'expired' || status === 'failed';
  // The end of the buyer's time may meet an approval of this moment, and then releases the money. Nobody asked for this release.
  const isByHand = notes.byHand.has(id) || (status === 'canceled' && isMade && by === null);
  const ids = { id, paymentId: id };
  const ofNothing = (cancel: string): Effect => ({ ...NOTHING, key: cancel });
  if (isFence(payment)) return canceledBy.map(ofNothing);
  const release: readonly Effect[] =
    end && by && isMade
      ? [{ verb: by, key: end.key, ...ids, amount: null, result: 'approved' }]
      : isByHand
        ? [
            {
              verb: 'void',
              key: `void ${id}`,
              ...ids,
              amount: amount.minor,
              result: 'approved',
              byHand: BY_HAND,
            },
          ]
        : [];
  return [
    {
      ...{ verb: 'authorize', key: key ?? 'no key', ...ids, amount: amount.minor },
      result: isMade ? 'approved' : isEnded ? 'declined' : 'pending',
      isSale: captureMode === 'automatic',
      released: isMade && by === 'cancel',
      expired: isMade && isEnded && by === null && !isByHand,
    },
    ...release,
    ...(isEnded ? canceledBy.filter((each) => !isMade || each !== end?.key).map(ofNothing) : []),
    ...captures.map((part) => effectOf('capture', id, part, notes)),
    ...refunds.map((part) => effectOf('refund', id, part, notes)),
  ];
}

/** A cancel of a payment that holds nothing. */
const NOTHING: Omit<Effect, 'key'> = {
  ...{ verb: 'cancel', id: 'none', paymentId: 'none', amount: null, result: 'approved' },
};

function effectOf(verb: Verb, paymentId: string, part: Part, { taken }: Notes): Effect {
  const { id, key, amount, status } = part;
  const isTaken = taken.has(id);
  return {
    ...{ verb, key: key ?? `${verb} ${id}`, id, paymentId, amount: amount.minor },
    ...(key === null && { byHand: BY_HAND }),
    result: isTaken ? 'approved' : (RESULTS[status] ?? 'declined'),
    reversed: isTaken ? amount.minor : 0,
  };
}
