import type { Bug } from './bug.ts';
import { inText, swap } from './spoil.ts';

/** Mistakes about reports. */
export const aboutReports: readonly Bug[] = [
  {
    name: 'a batch of facts replaces the sums before it',
    shows: 'reports',
    spoil: () =>
      inText(
        /^reports_project$/,
        swap('captured_amount = b.captured_amount + excluded', 'captured_amount = excluded'),
      ),
  },
  {
    name: 'entries of the ledger are read and not counted',
    shows: 'reports',
    spoil: () => inText(/^reports_project$/, swap("WHERE p.source = 'ledger_entry'", 'WHERE false')),
  },
  {
    name: 'a batch of facts replaces the bins before it',
    shows: 'reports',
    spoil: () =>
      inText(
        /^reports_project$/,
        swap('unnest(b.amount_bins || excluded.amount_bins)', 'unnest(excluded.amount_bins)'),
      ),
  },
  {
    name: 'a batch of captures replaces the sums of its buyer',
    kind: 'stripe',
    shows: 'reports',
    spoil: () =>
      inText(/^reports_project$/, swap('captured_amount = r.captured_amount +', 'captured_amount =')),
  },
  {
    name: 'a refusal counts by the values of the next service',
    shows: 'reports',
    from: 204,
    spoil: () => inText(/^reports_project$/, swap("o.report_values ->> 'three_d_secure'", 'NULL')),
  },
  {
    name: 'an answer time includes the absence of the buyer',
    shows: 'reports',
    spoil: () => inText(/^reports_project$/, swap('AND o.attempts = 1 AND o.accepted_at IS NULL', '')),
  },
  {
    name: 'a loss that is booked back counts as a further loss',
    from: 227,
    shows: 'reports',
    spoil: () => inText(/^reports_project$/, swap('THEN -l.amount::bigint', 'THEN l.amount::bigint')),
  },
];
