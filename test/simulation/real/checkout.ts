import type { BookedAction, BookedPayment } from '../../connectors/checkout/books.ts';
import type { DoubleResponse } from '../../connectors/double-server.ts';
import { createCheckoutDouble } from '../../connectors/checkout/double.ts';
import { MINUTE_MS } from '../../connectors/checkout/world.ts';
import type { Verb } from '../../../src/connectors/interface/requests.ts';
import { BEGIN_MS } from '../harness.ts';
import type { Stage } from '../stage.ts';
import { verbOf, type ConnectorCall } from './calls.ts';
import type { Account } from './connectors.ts';
import { BY_HAND, idsOf, shareOf, type Effect, type Handled, type RealDouble } from './double.ts';

/** The calls that the books of Checkout.com do not tell. */
type Notes = {
  /** The verbs of the changes, by their keys. A void and a cancel are the same act. */
  readonly verbs: Map<string, ConnectorCall['verb']>;
  /** The last look of each cancel, by its key. */
  readonly cancels: Map<string, Look>;
};

/** The payment that a cancel met, and the amount of the cancel. The payment is null for a search without one. */
type Look = { readonly met: string | null; readonly amount: number };

const PAYMENT = /^\/payments\/(pay_\w+)/;

/** Opens the double of Checkout.com for an account. Some of its undocumented ways differ between histories. */
export function openCheckout(stage: Stage, account: Account): RealDouble {
  const { random } = stage;
  const { sandboxKey: secretKey, hmacKey: signatureKey, channel } = account;
  const double = createCheckoutDouble({
    ...{ secretKey, signatureKey, channel },
    now: () => new Date(BEGIN_MS + stage.now),
    newId: idsOf(stage),
    otherBody: random.pick(['first_answer', 'refused']),
    eventNames: random.pick(['own', 'own_reference', 'payment', 'payment_reference']),
    listsPending: random.chance(0.5),
    searchLagMs: random.pick([0, MINUTE_MS, 60 * MINUTE_MS]),
  });
  const notes: Notes = { verbs: new Map(), cancels: new Map() };
  return {
    isFor: ({ headers }) => headers['authorization'] === `Bearer ${secretKey}`,
    serve: async (request, call, fault) => {
      if (fault) double.failNext([fault], `${request.method} ${request.path}`);
      const verb = verbOf(call, request.method === 'GET');
      if (call && verb !== 'status') notes.verbs.set(call.key, verb);
      const met = PAYMENT.exec(request.path)?.[1];
      const answer = await double.handle(request);
      if (call && isAboutCancel(call) && (met !== undefined || isEmpty(answer)))
        notes.cancels.set(call.key, { met: met ?? null, amount: call.money.amount });
      return answer;
    },
    byHand: ({ what, share }) => {
      const payment = double.books().find((one) => isPossible(one, what));
      if (!payment) return false;
      const { id, held, captured, refunded } = payment;
      const { elsewhere } = double;
      if (what === 'refund') elsewhere.refund(id, shareOf(captured - refunded, share));
      else if (what === 'capture') elsewhere.capture(id, shareOf(held, share));
      else elsewhere.void(id);
      return true;
    },
    refuse: (verb) => {
      const type = TYPES[verb];
      if (type) double.hands.answerNext(type, REFUSAL);
    },
    effects: () => {
      const books = double.books();
      return [...books.flatMap((payment) => effectsOf(payment, notes)), ...cancelsOfNothing(books, notes)];
    },
    owed: () => double.webhooks().map(({ body, headers }) => ({ body, sign: () => headers })),
  };
}

const isAboutCancel = ({ verb, about }: ConnectorCall): boolean => (about ?? verb) === 'cancel';

/** True for the answer of a search that found nothing. */
const isEmpty = (answer: DoubleResponse | null): boolean =>
  answer?.status === 200 && answer.body.includes('"total_count":0');

/** Tells whether a payment allows an act. A void after a capture is refused. */
function isPossible({ actions, held, captured, refunded }: BookedPayment, what: Handled['what']): boolean {
  if (actions.some(({ approved }) => approved === null)) return false;
  if (what === 'refund') return captured - refunded > 0;
  return (what === 'capture' || (what === 'void' && captured === 0)) && held > 0;
}

const REFUSAL = '20005';

const TYPES: Readonly<Partial<Record<ConnectorCall['verb'], BookedAction['type']>>> = {
  ...{ capture: 'Capture', refund: 'Refund', void: 'Void' },
};

const VERBS: Readonly<Partial<Record<BookedAction['type'], Verb>>> = {
  ...{ Capture: 'capture', Refund: 'refund', Void: 'void' },
};

const resultOf = ({ approved }: BookedAction): Effect['result'] =>
  approved === null ? 'pending' : approved ? 'approved' : 'declined';

function effectsOf(payment: BookedPayment, { verbs, cancels }: Notes): readonly Effect[] {
  const { id: paymentId, key, authorized, isSale, isLapsed, actions } = payment;
  // A sale is decided by its capture.
  const decision = actions.find(
    ({ type }) => type === (isSale && authorized > 0 ? 'Capture' : 'Authorization'),
  );
  // A release of a sale that is not paid is a part of the sale.
  const changes = actions.filter(
    ({ type, key: own, ...action }) =>
      VERBS[type] !== undefined && action.id !== decision?.id && !own?.includes('_release_'),
  );
  const verbOf = (action: BookedAction) => verbs.get(action.key ?? '');
  return [
    {
      ...{ verb: 'authorize', key: key ?? 'no key', id: paymentId, paymentId, isSale, expired: isLapsed },
      amount: authorized > 0 ? authorized : null,
      result: decision ? resultOf(decision) : 'pending',
      released: changes.some((action) => verbOf(action) === 'cancel' && action.approved === true),
    },
    ...changes.map((action): Effect => {
      const { id, type, amount } = action;
      const isByHand = action.key === null;
      return {
        ...{ verb: VERBS[type] ?? 'capture', paymentId, id, result: resultOf(action) },
        ...(verbOf(action) === 'cancel' && { verb: 'cancel' }),
        ...{ key: action.key ?? `${type} ${id}`, amount: type === 'Void' && !isByHand ? null : amount },
        ...(isByHand && { byHand: BY_HAND }),
      };
    }),
    ...releasesOfRest(payment),
    ...cancelsOfEnded(payment, cancels),
  ];
}

/**
 * Returns the release of the rest after a final capture of a hand. Checkout.com has no action for this release. The core books a void
 * if a report without a word about the rest came first.
 */
function releasesOfRest({ id, authorized, captured, actions }: BookedPayment): readonly Effect[] {
  const isLast = ({ type, key, isFinal, approved }: BookedAction): boolean =>
    type === 'Capture' && key === null && isFinal && approved === true;
  const rest = authorized - captured;
  return actions.filter(isLast).flatMap(({ id: capture }): readonly Effect[] =>
    rest > 0
      ? [
          {
            ...{ verb: 'void', key: `rest of ${capture}`, id: `rest of ${capture}`, paymentId: id },
            ...{ amount: rest, result: 'approved', byHand: { ...BY_HAND, isOfRest: true } },
          },
        ]
      : [],
  );
}

/** Returns the cancels that found nothing held, or captured money. Each ends by its look at the payment, without an action. */
function cancelsOfEnded(
  { id, status, actions }: BookedPayment,
  cancels: Notes['cancels'],
): readonly Effect[] {
  const isEnded = /^(Declined|Canceled|Expired|Voided)$/.test(status);
  if (!isEnded && !/^(Captured|Partially Captured|Partially Refunded|Refunded)$/.test(status)) return [];
  const keys = new Set(actions.map(({ key }) => key));
  const effect = { ...NOTHING, result: isEnded ? 'approved' : 'declined' } as const;
  return [...cancels].flatMap(([key, { met, amount }]) =>
    met === id && !keys.has(key) ? [{ ...effect, key, amount }] : [],
  );
}

/** Returns the cancels whose search found no payment. A later release of the payment has an action. */
function cancelsOfNothing(books: readonly BookedPayment[], { cancels }: Notes): readonly Effect[] {
  const keys = new Set(books.flatMap(({ actions }) => actions.map(({ key }) => key)));
  return [...cancels].flatMap(([key, { met, amount }]) =>
    met === null && !keys.has(key) ? [{ ...NOTHING, key, amount }] : [],
  );
}

/** A cancel of a payment that holds nothing. */
const NOTHING: Omit<Effect, 'key' | 'amount'> = {
  ...{ verb: 'cancel', id: 'none', paymentId: 'none', result: 'approved' },
};
