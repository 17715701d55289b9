import type { Notice } from '../../src/connectors/notices/webhook.ts';
import type { Bug } from './bug.ts';
import { atConnectors, FAILED, inConnectors, inNotices, NO_WORDS } from './spoil.ts';

/** Mistakes in the reading of the answers and webhooks of real providers. */
export const aboutRealProviders: readonly Bug[] = [
  {
    name: 'Adyen’s refusal of a repeat without the security code is taken for a refusal of the payment',
    shows: 'money',
    from: 1667,
    kind: 'adyen',
    spoil: () =>
      inConnectors((connector) => ({
        ...connector,
        authorize: (context, request) => connector.authorize(context, { ...request, isRepeat: false }),
      })),
  },
  {
    name: 'a webhook of Adyen with success=false counts as a success',
    shows: 'money',
    kind: 'adyen',
    spoil: () =>
      inNotices((notice) =>
        isRefusal(notice) ? { ...notice, outcome: { kind: 'succeeded', money: null, ...NO_WORDS } } : notice,
      ),
  },
  {
    name: 'a webhook of Adyen about a refused refund takes the capture back',
    shows: 'money',
    kind: 'adyen',
    spoil: () =>
      inNotices((notice) =>
        notice.verb === 'refund' && isRefusal(notice)
          ? {
              ...notice,
              ...{ verb: 'capture', key: null, reference: null },
              outcome: { kind: 'reversed', money: null, errorCode: 'service_decline', ...NO_WORDS },
            }
          : notice,
      ),
  },
  {
    name: 'a first cancel that finds no payment at Checkout.com is successful',
    shows: 'money',
    kind: 'checkout',
    spoil: () =>
      inConnectors((connector) => ({
        ...connector,
        cancel: (context, request) => connector.cancel(context, { ...request, isRepeat: true }),
      })),
  },
  {
    name: 'Stripe’s repetition of its own failure is taken for a refusal',
    shows: 'money',
    kind: 'stripe',
    spoil: () =>
      atConnectors({ hear: (outcome) => (outcome.kind === 'unknown' && outcome.arrived ? FAILED : outcome) }),
  },
];

const isRefusal = ({ outcome: { kind } }: Notice): boolean => kind === 'declined' || kind === 'failed';
