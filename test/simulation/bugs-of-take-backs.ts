import type { Bug } from './bug.ts';
import { afterRows, both, inText, inValues, ofAnyVersion, swap, together, type Row } from './spoil.ts';

const TAKES_BACK = /^(reverse_operation|expire_authorization)$/;
const NO_LEDGER = { ledgerIds: [], ledgerKinds: [], ledgerAmounts: [], reversalKeys: [] };

const FIRST_CAPTURE = `(
  SELECT jsonb_build_array(jsonb_build_object('operationId', c.id, 'key', coalesce(c.provider_key, c.id),
    'reference', c.provider_reference, 'amount', a.claim_amount))
  FROM captures_of(a.merchant_account_id, a.id) c LIMIT 1)`;

/** Mistakes in booking a success that a provider takes back. */
export const aboutTakeBacks: readonly Bug[] = [
  {
    name: 'a reversal is edited away, without an entry of its own',
    shows: 'ledger',
    spoil: () => inValues(/^reverse_operation$/, () => NO_LEDGER),
  },
  {
    name: 'a reversal is counted twice',
    shows: 'money',
    seed: 2,
    spoil: () =>
      together(
        afterRows(/^(read|lock)_operation$/, (rows) =>
          rows.map((row) => ({
            ...row,
            operation: { ...(row['operation'] as Row), reversals: null, reversed_amount: 0 },
          })),
        ),
        inText(/^reverse_operation$/, swap(/AND o\.reversed_amount = (\$\d+)/, 'AND $1::int IS NOT NULL')),
      ),
  },
  {
    name: 'a refund is of the first capture alone',
    from: 366,
    shows: 'money',
    spoil: () => inText(/^claim_refund$/, swap(/allocate_refund\([^)]*\)/, FIRST_CAPTURE)),
  },
  {
    name: 'an expired authorisation can still be captured in our books',
    from: 85,
    shows: 'taken back',
    spoil: () =>
      inText(
        /^expire_authorization$/,
        both(
          swap(/ status = (\$\d+)/, ' status = coalesce(t.status, $1)'),
          swap(/capture_closed = (\$\d+)/, 'capture_closed = coalesce(t.capture_closed, $1)'),
          swap(/expired_at = (\$\d+)/, 'expired_at = nullif($1::timestamptz, $1::timestamptz)'),
        ),
      ),
  },
  {
    name: 'a reversal before the answer is dropped',
    shows: 'taken back',
    from: 26,
    spoil: () =>
      inText(/^park_inbound_webhook$/, swap('SET next_attempt_at', `SET state = 'ignored', next_attempt_at`)),
  },
  {
    name: 'a reversal is written although the transaction has changed since',
    shows: 'money',
    seed: 2,
    from: 1_600,
    spoil: () => inText(TAKES_BACK, ofAnyVersion),
  },
];
