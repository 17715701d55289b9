import type { Bug } from '../bug.ts';
import {
  afterRows,
  inConnectors,
  inNotices,
  inText,
  inValues,
  ofAnyVersion,
  swap,
  together,
} from '../spoil.ts';

const BOOKS = /^book_(capture|refund|void|increase)_elsewhere$/;
const READS = /^(read|lock)_reported_payment$/;

/** Mistakes in booking what was made at the provider, and in ending late approvals. */
export const aboutElsewhere: readonly Bug[] = [
  {
    name: 'an operation made elsewhere is dropped as unknown',
    shows: 'money',
    byHand: true,
    spoil: () => inText(BOOKS, swap(/AND t\.xmin = (\$\d+)::xid/, 'AND $1::xid IS NULL')),
  },
  {
    name: 'a key that names another verb is taken for that operation',
    kind: 'paypal',
    shows: 'money',
    byHand: true,
    spoil: () =>
      inText(
        /^match_webhook_by_key$/,
        swap(/CASE WHEN NOT o\.unsent AND .* THEN row_to_json/, 'CASE WHEN true THEN row_to_json'),
      ),
  },
  {
    name: 'an operation under way does not decide first',
    shows: 'money',
    from: 160,
    byHand: 'maybe',
    spoil: () => afterRows(READS, (rows) => rows.map((row) => ({ ...row, mayBeOurs: false }))),
  },
  {
    name: 'the same operation made elsewhere is booked for each of its notices',
    shows: 'money',
    race: 'rarer',
    from: 200,
    byHand: true,
    spoil: () =>
      together(
        afterRows(READS, (rows) => rows.map((row) => ({ ...row, isBooked: false }))),
        inText(BOOKS, ofAnyVersion),
      ),
  },
  {
    name: 'an operation made elsewhere is booked although the transaction has changed since',
    shows: 'money',
    byHand: true,
    spoil: () => inText(BOOKS, ofAnyVersion),
  },
  {
    name: 'an accepted late approval is released when its report comes again',
    shows: 'money',
    seed: 7,
    from: 6_100,
    byHand: true,
    spoil: () =>
      inText(/^release_late_approval$/, swap("'authorization_declined', 'authorization_failed'", 't.status')),
  },
  {
    name: 'a refund of more than is left is clamped',
    shows: 'money',
    byHand: true,
    spoil: () =>
      inValues(/^book_refund_elsewhere$/, ({ amount, ledgerAmounts, refundedAmount, capturedAmount }) => {
        const excess = Math.max(Number(refundedAmount) - Number(capturedAmount), 0);
        if (excess === 0) return {};
        const clamped = Math.max(Number(amount) - excess, 1);
        return {
          amount: clamped,
          ledgerAmounts: (ledgerAmounts as number[]).map(() => clamped),
          refundedAmount: capturedAmount,
        };
      }),
  },
  {
    name: 'the sum of all captures is taken for one capture',
    shows: 'money',
    seed: 8,
    from: 1_090,
    byHand: true,
    spoil: () =>
      inNotices(({ total, ...notice }) =>
        total && notice.verb === 'capture' && notice.outcome.kind === 'succeeded'
          ? { ...notice, outcome: { ...notice.outcome, money: total } }
          : { ...notice, ...(total && { total }) },
      ),
  },
  {
    name: 'the books of the providers are not read',
    shows: 'money',
    byHand: true,
    spoil: () =>
      inConnectors((connector) =>
        'readBooks' in connector ? { ...connector, readBooks: async () => null } : connector,
      ),
  },
  {
    name: 'a late approval is left in limbo',
    shows: 'elsewhere',
    byHand: true,
    spoil: () =>
      inText(/^release_late_approval$/, swap(`o.status IN ('declined', 'failed')`, `o.status = 'pending'`)),
  },
  {
    name: 'each notice of a late approval starts a release',
    shows: 'elsewhere',
    from: 1_340,
    race: 'stopped',
    byHand: true,
    spoil: () =>
      inText(
        /^release_late_approval$/,
        swap(`md5('release of ' || coalesce(r.provider_key, r.id))::uuid`, 'gen_random_uuid()'),
      ),
  },
];
