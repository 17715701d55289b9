import { createHmac } from 'node:crypto';
import type { BookedPayment } from '../../connectors/stripe/books.ts';
import { createStripeDouble } from '../../connectors/stripe/double.ts';
import { BEGIN_MS } from '../harness.ts';
import type { Stage } from '../stage.ts';
import type { ConnectorCall } from './calls.ts';
import type { Account } from './connectors.ts';
import { idsOf, type Effect, type RealDouble } from './double.ts';

/** Opens the double of Stripe for an account. */
export function openStripe(stage: Stage, account: Account): RealDouble {
  const { secretKey, webhookSecret, hasMultipleCaptures: hasMulticapture } = account;
  const now = (): Date => new Date(BEGIN_MS + stage.now);
  const double = createStripeDouble({ now, newId: idsOf(stage), secretKey, webhookSecret, hasMulticapture });
  const releases = new Map<string, ConnectorCall>();
  return {
    isFor: ({ headers }) => headers['authorization'] === `Bearer ${secretKey}`,
    serve: async (request, call, fault) => {
      if (fault) double.failNext([fault]);
      const answer = double.handle(request);
      if (call)
        for (const { id, status } of double.books().payments)
          if (status === 'canceled' && !releases.has(id)) releases.set(id, call);
      return await answer;
    },
    effects: () => double.books().payments.flatMap((payment) => effectsOf(payment, releases)),
    owed: () => double.webhooks().map(({ body }) => ({ body, sign: () => sign(body, webhookSecret, now()) })),
  };
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

function effectsOf(payment: BookedPayment, releases: ReadonlyMap<string, ConnectorCall>): readonly Effect[] {
  const { id, key, status, authorized, captures, refunds } = payment;
  const release = status === 'canceled' ? releases.get(id) : undefined;
  const name = key ?? 'no key';
  const effect = (given: Omit<Effect, 'paymentId'>): Effect => ({ ...given, paymentId: id });
  const isSale = captures.some((capture) => capture.key === key);
  const by = release?.verb === 'void' || release?.verb === 'cancel' ? release.verb : null;
  return [
    ...(authorized > 0
      ? [
          effect({
            ...{ verb: 'authorize', key: name, id, amount: authorized, result: 'approved', isSale },
            released: by === 'cancel',
            expired: status === 'canceled' && by === null,
          }),
        ]
      : []),
    ...(release && by ? [effect({ verb: by, key: release.key, id, amount: null, result: 'approved' })] : []),
    ...captures
      .filter((capture) => capture.key !== key)
      .map((capture) =>
        effect({
          verb: 'capture',
          key: capture.key ?? 'no key',
          id,
          amount: capture.amount,
          result: 'approved',
        }),
      ),
    ...refunds.map((refund) =>
      effect({
        ...{ verb: 'refund', key: refund.metadata['paygraph_operation'] ?? 'no key' },
        ...{ id: refund.id, amount: refund.amount, result: REFUNDS[refund.status] ?? 'declined' },
      }),
    ),
  ];
}
