import type { Bug } from './bug.ts';
import { atConnectors, both, FAILED, inText, swap } from './spoil.ts';

/** Mistakes about providers that tell the outcome apart from their answer. */
export const aboutWebhooks: readonly Bug[] = [
  {
    name: 'a resend that the provider refuses is taken for an answer',
    from: 296,
    shows: 'money',
    spoil: () =>
      atConnectors({ hear: (outcome) => (outcome.kind === 'unknown' && outcome.arrived ? FAILED : outcome) }),
  },
  {
    name: 'a duplicate is tried at another service',
    from: 120,
    shows: 'money',
    spoil: () =>
      atConnectors({
        hear: (outcome) =>
          outcome.kind === 'declined' && outcome.errorCode === 'duplicate_transaction'
            ? { ...outcome, kind: 'failed', errorCode: 'service_error' }
            : outcome,
      }),
  },
  {
    name: '"received" is taken for a success',
    shows: 'money',
    spoil: () =>
      atConnectors({
        hear: (outcome, { money }) =>
          outcome.kind === 'accepted' ? { ...outcome, kind: 'succeeded', money } : outcome,
      }),
  },
  {
    name: 'a webhook settles the operation of another payment service',
    shows: 'money',
    from: 94,
    spoil: () =>
      inText(/^match_webhook_by_key$/, swap(/o\.payment_service_id = (\$\d+)/, 'o.payment_service_id <> $1')),
  },
  {
    name: 'a webhook that cannot be applied at once is dropped',
    shows: 'taken back',
    spoil: () =>
      inText(/^park_inbound_webhook$/, swap('SET next_attempt_at', `SET state = 'expired', next_attempt_at`)),
  },
  {
    // A constraint of the database refuses it.
    name: 'a client completes a payment that its buyer has not approved',
    shows: 'surprise',
    spoil: () =>
      inText(
        /^session_complete$/,
        both(swap('AND a.approved_at IS NOT NULL', ''), swap('AND NOT t.void_pending', '')),
      ),
  },
];
