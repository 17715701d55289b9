import { createHmac } from 'node:crypto';
import type { BookedPayment } from '../../connectors/stripe/books.ts';
import { createStripeDouble } from '../../connectors/stripe/double.ts';
import { BEGIN_MS } from '../harness.ts';
import type { Stage } from '../stage.ts';
import type { ConnectorCall } from './calls.ts';
import type { Account } from './connectors.ts';
import { BY_HAND, idsOf, shareOf, type Effect, type Handled, type RealDouble } from './double.ts';

/** Opens the double of Stripe for an account. */
export function openStripe(stage: Stage, account: Account): RealDouble {
  const { secretKey, webhookSecret, hasMultipleCaptures: hasMulticapture } = account;
  const now = (): Date => new Date(BEGIN_MS + stage.now);
  const double = createStripeDouble({ now, newId: idsOf(stage), secretKey, webhookSecret, hasMulticapture });
  const releases = new Map<string, ConnectorCall | 'by hand'>();
  const refunds: Refunds = { succeeded: new Set(), failing: new Set(), failsNext: false };
  return {
    isFor: ({ headers }) => headers['authorization'] === `Bearer ${secretKey}`,
    serve: async (request, call, fault) => {
      if (fault) double.failNext([fault]);
      const answer = double.handle(request);
      const { payments } = double.books();
      if (call)
        for (const { id, status } of payments)
          if (status === 'canceled' && !releases.has(id)) releases.set(id, call);
      noteRefunds(refunds, payments);
      return await answer;
    },
    byHand: (handled) => {
      const { payments } = double.books();
      const payment = payments.find((one) => isPossible(one, handled));
      if (!payment) return false;
      const { id, authorized, captured, refunded } = payment;
      const left = handled.what === 'refund' ? captured - refunded : authorized - captured;
      const amount = shareOf(left, handled.share);
      if (handled.what === 'capture') double.elsewhere.capture(id, amount, !hasMulticapture);
      if (handled.what === 'refund') double.elsewhere.refund(id, amount);
      if (handled.what === 'void') {
        double.elsewhere.cancel(id);
        releases.set(id, 'by hand');
      }
      noteRefunds(refunds, double.books().payments);
      return true;
    },
    refuse: (verb) => {
      refunds.failsNext ||= verb === 'refund';
    },
    effects: () =>
      double.books().payments.flatMap((payment) => effectsOf(payment, releases, refunds.succeeded)),
    owed: () => {
      for (const id of refunds.failing) double.hands.failRefund(id);
      refunds.failing.clear();
      return double.webhooks().map(({ body }) => ({ body, sign: () => sign(body, webhookSecret, now()) }));
    },
  };
}

/** Tells whether a payment allows an act. Stripe raises no payment that did not ask for it. */
function isPossible(
  { status, captured, refunded, held }: BookedPayment,
  { what }: Pick<Handled, 'what'>,
): boolean {
  if (what === 'refund') return captured - refunded > 0;
  return (
    (what === 'capture' || (what === 'void' && captured === 0)) && status === 'requires_capture' && held > 0
  );
}

/** The refunds of an account: those that have ever succeeded, and those that fail before the next webhook. */
type Refunds = { readonly succeeded: Set<string>; readonly failing: Set<string>; failsNext: boolean };

/** Notes the refunds that succeed. A bank may take the next one back. */
function noteRefunds(refunds: Refunds, payments: readonly BookedPayment[]): void {
  for (const { id, status } of payments.flatMap((payment) => payment.refunds)) {
    if (status !== 'succeeded' || refunds.succeeded.has(id)) continue;
    refunds.succeeded.add(id);
    if (refunds.failsNext) refunds.failing.add(id);
    refunds.failsNext = false;
  }
}

/** Signs at this moment, as Stripe does on every attempt. */
function sign(body: string, secret: string, now: Date): Readonly<Record<string, string>> {
  const time = Math.floor(now.getTime() / 1_000);
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return { 'stripe-signature': `t=${time},v1=${signature}` };
}

const REFUNDS: Readonly<Record<string, Effect['result']>> = {
  ...{ succeeded: 'approved', pending: 'pending', requires_action: 'pending' },
};

const HAND = { byHand: BY_HAND, result: 'approved' } as const;

const voidOf = (
  { id, authorized, captured }: BookedPayment,
  effect: (given: Omit<Effect, 'paymentId'>) => Effect,
): Effect =>
  effect({
    ...{ verb: 'void', key: `void ${id}`, id, amount: authorized - captured, result: 'approved' },
    byHand: { ...BY_HAND, isOfRest: captured > 0 },
  });

function effectsOf(
  payment: BookedPayment,
  releases: ReadonlyMap<string, ConnectorCall | 'by hand'>,
  succeeded: ReadonlySet<string>,
): readonly Effect[] {
  const { id, key, status, authorized, captured, captures, refunds } = payment;
  const asked = status === 'canceled' ? releases.get(id) : undefined;
  // A cancel after a capture releases the rest, which no request of ours is about.
  const release = asked && captured > 0 ? 'by hand' : asked;
  const name = key ?? 'no key';
  const effect = (given: Omit<Effect, 'paymentId'>): Effect => ({ ...given, paymentId: id });
  const isSale = captures.some((capture) => capture.key === key);
  const isByHand = release === 'by hand';
  const by = !isByHand && (release?.verb === 'void' || release?.verb === 'cancel') ? release.verb : null;
  return [
    ...(authorized > 0
      ? [
          effect({
            ...{ verb: 'authorize', key: name, id, amount: authorized, result: 'approved', isSale },
            released: by === 'cancel',
            expired: status === 'canceled' && by === null && !isByHand,
          }),
        ]
      : []),
    ...(isByHand ? [voidOf(payment, effect)] : []),
    ...(release && !isByHand && by
      ? [effect({ verb: by, key: release.key, id, amount: null, result: 'approved' })]
      : []),
    ...captures
      .filter((capture) => capture.key !== key)
      .map((capture) =>
        effect({
          verb: 'capture',
          ...(capture.key === null && HAND),
          key: capture.key ?? `capture of ${id}`,
          id,
          amount: capture.amount,
          result: 'approved',
        }),
      ),
    ...refunds.map((refund) => {
      const isTakenBack = refund.status === 'failed' && succeeded.has(refund.id);
      return effect({
        ...{ verb: 'refund', key: refund.metadata['paygraph_operation'] ?? `refund ${refund.id}` },
        ...(refund.metadata['paygraph_operation'] === undefined && { byHand: BY_HAND }),
        ...{ id: refund.id, amount: refund.amount },
        result: isTakenBack ? 'approved' : (REFUNDS[refund.status] ?? 'declined'),
        reversed: isTakenBack ? refund.amount : 0,
      });
    }),
  ];
}
