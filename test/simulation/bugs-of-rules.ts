import type { Bug } from './bug.ts';
import { afterRows, inText, swap } from './spoil.ts';

/** Mistakes about the merchant's own rules of routing. */
export const aboutRules: readonly Bug[] = [
  {
    name: 'the active version of the rules is forgotten',
    shows: 'rules',
    spoil: () =>
      afterRows(/^payment_services_accepting$/, (rows) =>
        rows.map((row) => ({ ...row, routingVersionId: null })),
      ),
  },
  {
    name: 'a payment service accepts each currency',
    shows: 'rules',
    spoil: () =>
      inText(
        /^payment_services_accepting$/,
        swap(/(\$\d+) = ANY \(s\.accepted_currencies\)/, '$1::text IS NOT NULL'),
      ),
  },
];
