import { eventExpressions } from '../../src/modules/event-log/index.ts';
import type { Bug } from './bug.ts';
import { aboutChanges, aboutRenewals } from './bugs-of-changes.ts';
import { aboutBuyers, aboutGiftCards, aboutReturns } from './bugs-of-buyers.ts';
import { aboutDisputes } from './bugs-of-disputes.ts';
import { aboutReports } from './bugs-of-reports.ts';
import { aboutRules } from './bugs-of-rules.ts';
import { aboutFraud } from './bugs-of-fraud.ts';
import { aboutRealProviders } from './bugs-of-real.ts';
import { aboutElsewhere } from './elsewhere/bugs.ts';
import { aboutTakeBacks } from './bugs-of-take-backs.ts';
import { aboutWebhooks } from './bugs-of-webhooks.ts';
import {
  afterRows,
  atConnectors,
  beforeClaim,
  both,
  FAILED,
  inText,
  inValues,
  ofAnyVersion,
  swap,
  swapIfThere,
  together,
  type Row,
} from './spoil.ts';

const CLAIMS = /^claim_(capture|refund|void|cancel)$/;
const SETTLES = /^settle_/;
const TOLD_SETTLES = /^settle_(authorize|capture|refund|void)_/;
const REFUSALS = /^settle_capture_(declined|failed)$/;

const FOR_EVER_MS = 1e12;

/** Mistakes in the reading of providers' answers. */
const aboutProviders: readonly Bug[] = [
  {
    name: 'a fresh provider key for each attempt',
    shows: 'money',
    spoil: () => {
      const attempts = new Map<string, number>();
      const fresh = (key: string): string => {
        const attempt = (attempts.get(key) ?? 0) + 1;
        attempts.set(key, attempt);
        return attempt === 1 ? key : `${key} attempt ${attempt}`;
      };
      return atConnectors({ key: fresh });
    },
  },
  {
    name: 'a call that timed out counts as failed',
    shows: 'money',
    spoil: () =>
      atConnectors({
        hear: (outcome) => (outcome.kind === 'unknown' && outcome.cause === 'timeout' ? FAILED : outcome),
      }),
  },
  {
    name: 'an authorisation with an unknown outcome moves to the next service',
    shows: 'money',
    spoil: () =>
      atConnectors({
        hear: (outcome, { verb }) => (outcome.kind === 'unknown' && verb === 'authorize' ? FAILED : outcome),
      }),
  },
  {
    name: 'an operation that a look-up does not find counts as failed',
    shows: 'money',
    spoil: () => atConnectors({ find: (found) => found ?? FAILED }),
  },
  {
    name: 'an accepted operation counts as done',
    shows: 'money',
    spoil: () =>
      atConnectors({
        hear: (outcome, { money }) =>
          outcome.kind === 'accepted' ? { ...outcome, kind: 'succeeded', money } : outcome,
      }),
  },
  {
    name: 'a success counts for any amount',
    seed: 4,
    from: 230,
    shows: 'money',
    spoil: () =>
      atConnectors({
        hear: (outcome, { money }) => (outcome.kind === 'succeeded' ? { ...outcome, money } : outcome),
      }),
  },
  {
    name: 'a request is repeated after the provider has forgotten its key',
    shows: 'money',
    seed: 6,
    from: 103,
    spoil: () =>
      atConnectors({
        recovery: (given) => (given.kind === 'keys' ? { ...given, windowMs: FOR_EVER_MS } : given),
      }),
  },
  {
    name: 'a request is repeated while the first one may still arrive',
    from: 137,
    shows: 'money',
    spoil: () =>
      atConnectors({
        recovery: (given) => (given.kind === 'lookup' ? { ...given, quiescenceMs: 0 } : given),
      }),
  },
  {
    name: 'every provider is assumed to remember keys',
    shows: 'money',
    spoil: () => atConnectors({ recovery: () => ({ kind: 'keys', windowMs: FOR_EVER_MS }) }),
  },
  {
    name: 'a repeat is not recorded as sent',
    shows: 'money',
    seed: 14,
    from: 752,
    spoil: () => inText(/^mark_operation_sent$/, swap('sent_at = greatest(', 'sent_at = least(')),
  },
  {
    name: 'a look-up is followed by a repeat even after another process has claimed the operation',
    shows: 'money',
    seed: 6,
    from: 143,
    spoil: () =>
      inText(
        /^mark_operation_sent$/,
        swap(
          /AND o\.lease_until = (\$\d+)::timestamptz AND o\.attempts = (\$\d+)::int/,
          'AND ($1, $2) IS DISTINCT FROM (NULL::timestamptz, 0)',
        ),
      ),
  },
  {
    name: 'a request that never left counts as failed despite a later one',
    from: 121,
    shows: 'money',
    spoil: () => inValues(/^settle_\w+_failed$/, () => ({ ofSending: null })),
  },
  {
    name: 'reconciliation takes a fresh operation id',
    shows: 'money',
    spoil: () =>
      inText(/^claim_due_operations$/, swap('SET lease_until', 'SET id = gen_random_uuid(), lease_until')),
  },
];

/** Mistakes in writing amounts and states. */
const aboutMoney: readonly Bug[] = [
  {
    name: 'nothing is reserved',
    from: 28,
    shows: 'money',
    spoil: () =>
      together(
        inText(CLAIMS, both(...RESERVING.map(([from, to]) => swapIfThere(from, to)))),
        inValues(SETTLES, () => ({ transactionCapturePendingAmount: 0, transactionRefundPendingAmount: 0 })),
      ),
  },
  {
    name: 'the guard ignores reserved amounts',
    from: 28,
    shows: 'money',
    race: 'stopped',
    spoil: () =>
      inText(
        CLAIMS,
        both(
          swapIfThere(' - l.capture_pending_amount', ''),
          swapIfThere(' + l.capture_pending_amount', ''),
          swapIfThere(' - l.refund_pending_amount', ''),
          swapIfThere('AND NOT l.void_pending', ''),
        ),
      ),
  },
  {
    name: 'a refund is checked before it is claimed',
    from: 72,
    shows: 'money',
    race: 'stopped',
    spoil: () =>
      beforeClaim(
        'refund',
        REFUNDABLE,
        swap(/l\.claim_amount BETWEEN 1 AND .*? - l\.dispute_lost_amount/, 'true'),
      ),
  },
  {
    name: 'the claim takes no lock',
    seed: 5,
    shows: 'money',
    race: 'stopped',
    spoil: () => inText(CLAIMS, swap('FOR UPDATE OF t', '')),
  },
  {
    name: 'no guard against settling twice',
    seed: 11,
    from: 54,
    shows: 'money',
    race: 'rarer',
    spoil: () =>
      together(
        afterRows(/^lock_operation$/, (rows) =>
          rows.map((row) => ({ ...row, operation: { ...(row['operation'] as Row), status: 'pending' } })),
        ),
        inText(SETTLES, swap(/(AND o\.id = \$\d+) AND o\.status \|\| '' = 'pending'/, '$1')),
      ),
  },
  {
    name: 'a decision is written although the transaction has changed since',
    from: 42,
    shows: 'money',
    spoil: () => inText(SETTLES, ofAnyVersion),
  },
  {
    name: 'the reservation is released when the outcome is unknown',
    seed: 2,
    from: 202,
    shows: 'money',
    spoil: () =>
      together(
        inText(/^release_lease$/, swap('WITH before AS', `WITH ${RELEASED}, before AS`)),
        inValues(SETTLES, (values) => ({
          transactionCapturePendingAmount: Math.max(0, Number(values['transactionCapturePendingAmount'])),
          transactionRefundPendingAmount: Math.max(0, Number(values['transactionRefundPendingAmount'])),
        })),
      ),
  },
  {
    name: 'a late unknown outcome moves a settled operation back',
    seed: 8,
    from: 114,
    shows: 'keys',
    spoil: () =>
      inText(
        /^release_lease$/,
        both(
          swap(/AND o\.status \|\| '' = 'pending'/g, ''),
          swap('SET lease_until', `SET status = 'pending', lease_until`),
        ),
      ),
  },
  {
    name: 'an excessive amount is reduced to the rest',
    shows: 'keys',
    from: 41,
    spoil: () =>
      inText(
        CLAIMS,
        swap(/coalesce\((\$\d+::int), (.*?)\) AS claim_amount/, 'least($1, $2) AS claim_amount'),
      ),
  },
  {
    name: 'the final capture does not close the payment',
    shows: 'status',
    spoil: () =>
      inText(/^claim_capture$/, swap(/capture_closed = \$\d+/, 'capture_closed = t.capture_closed')),
  },
  {
    name: 'a declined final capture still closes the payment',
    from: 104,
    shows: 'status',
    spoil: () =>
      inValues(REFUSALS, ({ transactionCaptureClosed: isClosed, payloads }) => ({
        transactionCaptureClosed: isClosed === true || isFinal(payloads as readonly string[]),
      })),
  },
  {
    name: 'a cancel does not end the authorisation',
    shows: 'pending',
    spoil: () =>
      inText(
        /^settle_cancel_succeeded$/,
        swap(`o.kind = 'authorize' AND o.status = 'pending'`, `o.kind = 'authorize' AND false`),
      ),
  },
  {
    name: 'a payment with a pending cancel moves to the next service',
    from: 613,
    shows: 'money',
    spoil: () => inText(/^reroute_authorization$/, swap('AND NOT t.void_pending', '')),
  },
  {
    name: 'a settle writes no ledger entry',
    shows: 'ledger',
    spoil: () =>
      inValues(/^settle_\w+_succeeded$/, () => ({ ledgerIds: [], ledgerKinds: [], ledgerAmounts: [] })),
  },
  {
    name: 'a sale has only one ledger entry',
    shows: 'ledger',
    spoil: () =>
      inValues(/^settle_authorize_succeeded$/, ({ ledgerIds, ledgerKinds, ledgerAmounts }) => ({
        ledgerIds: firstOf(ledgerIds),
        ledgerKinds: firstOf(ledgerKinds),
        ledgerAmounts: firstOf(ledgerAmounts),
      })),
  },
  {
    name: 'the merchant account is not checked',
    shows: 'tenant',
    spoil: () => inText(CLAIMS, swap(/WHERE t\.merchant_account_id = \$\d+::text AND/, 'WHERE')),
  },
  {
    name: 'the card is kept after settling',
    shows: 'card',
    spoil: () => inText(/^settle_authorize_/, swap('sealed_card = NULL', 'sealed_card = o.sealed_card')),
  },
];

/** Mistakes in events, history and stored answers. */
const aboutRecords: readonly Bug[] = [
  {
    name: 'a released operation is never claimed again',
    shows: 'pending',
    spoil: () =>
      inText(
        /^release_lease$/,
        swap(
          /next_attempt_at = coalesce\(b\.due_at, (\$\d+)::timestamptz\)/,
          'next_attempt_at = nullif($1::timestamptz, $1::timestamptz)',
        ),
      ),
  },
  {
    name: 'the list of unknown outcomes omits authorisations',
    shows: 'pending',
    spoil: () => inText(/^read_unresolved_/, swap('o.unknown_at IS NOT NULL', `o.kind <> 'authorize'`)),
  },
  {
    name: 'the events are written after the commit',
    from: 48,
    shows: 'events',
    spoil: () =>
      together(
        afterRows(TOLD_SETTLES, async (rows, _, db) => {
          const notified = rows.flatMap(({ notified: one }) =>
            Array.isArray(one) ? (one as unknown[]) : [],
          );
          await db.query({ name: 'events_later', text: EVENTS_LATER, values: [JSON.stringify(notified)] });
          return rows;
        }),
        inText(
          TOLD_SETTLES,
          both(
            swap(WRITTEN, '$1event_rows WHERE false)'),
            swap(/SELECT operation, transaction FROM written(?= WHERE)/, ANSWER_NOTIFIED),
          ),
        ),
      ),
  },
  {
    name: 'every event is written twice',
    shows: 'events',
    spoil: () => inText(TOLD_SETTLES, swap(WRITTEN, `$1(${TWICE}) AS twice)`)),
  },
  {
    name: 'the relay forgets a place whose transaction is still open',
    shows: 'events',
    spoil: () => inText(/^relay_move$/, NO_GAPS),
  },
  {
    name: 'an operation accepted twice is published twice',
    shows: 'events',
    spoil: () =>
      afterRows(/^claim_(due|pending)_operations$/, (rows) =>
        rows.map((row) => ({ ...row, operation: { ...(row['operation'] as Row), accepted_at: null } })),
      ),
  },
  {
    name: 'the history omits declines',
    shows: 'events',
    spoil: () =>
      inText(
        /^settle_\w+_declined$/,
        swap(/(INSERT INTO history_entry[\s\S]*? FROM settled s)/, '$1 JOIN (SELECT 1) no ON false'),
      ),
  },
  {
    name: 'the relay publishes the latest event first',
    shows: 'events',
    spoil: () => inText(/^relay_move$/, swap('ORDER BY e.position)', 'ORDER BY e.position DESC)')),
  },
  {
    name: 'a key is stored without its input',
    shows: 'keys',
    spoil: () => {
      const offered = new Map<string, unknown>();
      const nameOf = (values: readonly unknown[]): string => {
        const at = values.findIndex((value) => /^\w+Transaction$/.test(String(value)));
        return `${String(values[at])} ${String(values[at + 1])}`;
      };
      return together(
        afterRows(/^claim_(authorize|capture|refund|void|cancel)$/, (rows, { values }) => {
          offered.set(
            nameOf(values),
            values.find((value) => /^[0-9a-f]{64}$/.test(String(value))),
          );
          return rows;
        }),
        afterRows(/^read_money_key/, (rows, { values }) =>
          rows.map((row) => ({
            ...row,
            fingerprint: row['fingerprint'] && (offered.get(nameOf(values)) ?? row['fingerprint']),
          })),
        ),
      );
    },
  },
  {
    name: 'a key is forgotten',
    shows: 'keys',
    spoil: () =>
      inText(
        /^claim_(authorize|capture|refund|void|cancel)$/,
        swap('(SELECT count(*) FROM key_expired) >= 0', 'false'),
      ),
  },
  {
    name: 'the key stays with the service that declined',
    shows: 'keys',
    spoil: () => inText(/^reroute_authorization$/, swap('AND k.resource_id = e.id::text', 'AND false')),
  },
  {
    name: 'a repeat is answered with the current state',
    shows: 'keys',
    spoil: () => inText(/^read_money_key/, swap(", 'answer', o.answer)", ')')),
  },
];

export const bugs: readonly Bug[] = [
  ...aboutProviders,
  ...aboutMoney,
  ...aboutRecords,
  ...aboutTakeBacks,
  ...aboutElsewhere,
  ...aboutChanges,
  ...aboutRenewals,
  ...aboutWebhooks,
  ...aboutDisputes,
  ...aboutReports,
  ...aboutRules,
  ...aboutBuyers,
  ...aboutReturns,
  ...aboutGiftCards,
  ...aboutFraud,
  ...aboutRealProviders,
];

/** A cursor that keeps no place of a row that was not there. */
const NO_GAPS = swap(
  /r\.young \+ int8multirange\(.*?\) - t\.seen AS young/g,
  `'{}'::int8multirange AS young`,
);

type Swap = readonly [from: string, to: string];

const RESERVING: readonly Swap[] = [
  ['t.capture_pending_amount + a.claim_amount', 't.capture_pending_amount'],
  ['t.refund_pending_amount + a.claim_amount', 't.refund_pending_amount'],
  ['void_pending = true', 'void_pending = t.void_pending'],
];

const firstOf = (values: unknown): readonly unknown[] => (values as readonly unknown[]).slice(0, 1);

/** Tells whether the events are about a final capture. */
const isFinal = ([payload = '{}']: readonly string[]): boolean =>
  (JSON.parse(payload) as { readonly target: { readonly final: boolean } }).target.final;

const RELEASED = `gone AS (
  UPDATE transaction t SET capture_pending_amount = 0, refund_pending_amount = 0, void_pending = false
  FROM operation o WHERE o.merchant_account_id = $3 AND o.id = $4 AND o.status = 'pending'
    AND t.merchant_account_id = o.merchant_account_id AND t.id = o.transaction_id)`;

/** Checks the refundable amount at this moment. */
const REFUNDABLE = `
  SELECT coalesce($3::int, 1) BETWEEN 1 AND captured_amount - refunded_amount - refund_pending_amount AS fits
  FROM transaction WHERE merchant_account_id = $1 AND id = $2`;

/** The end of the expression that writes the events. */
const WRITTEN = /(created_at, \$\d+::text\s+FROM )event_rows\)/;

const EVENT_COLUMNS = 'merchant_account_id, event_name, target_type, target_id, created_at, payload';

const TWICE = `SELECT event_id, ${EVENT_COLUMNS} FROM event_rows UNION ALL SELECT gen_random_uuid(), ${EVENT_COLUMNS} FROM event_rows`;

const ANSWER_NOTIFIED =
  'SELECT operation, transaction, (SELECT json_agg(event_rows) FROM event_rows) AS notified FROM written';

const EVENTS_LATER = `
  WITH event_rows AS (
    SELECT * FROM json_to_recordset($1) AS event_rows (merchant_account_id text, event_id uuid, event_name text,
      target_type text, target_id text, created_at timestamptz, payload text)),
  ${eventExpressions('event_rows', 'event', 'NULL')}
  SELECT 1`;
