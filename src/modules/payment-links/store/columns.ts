import { columnSet, lineAndWhole, type LineOrWhole } from '../../../platform/database/column-set.ts';
import type { PaymentLink } from '../payment-link.ts';

/**
 * The status of a row of payment_link as shown, for the table of this alias. It is expired from expiresAt on by the database's clock, even before the
 * sweeper writes it.
 */
export const shownStatus = (l: string): string =>
  `CASE WHEN ${l}.status = 'active' AND ${l}.expires_at <= statement_timestamp() THEN 'expired' ELSE ${l}.status END`;

/** The smallest of the first two sets with each field. */
const SET_OF: Readonly<Record<keyof PaymentLink, LineOrWhole>> = {
  id: 'line',
  merchantAccountId: 'line',
  status: 'line',
  amount: 'line',
  currency: 'line',
  country: 'line',
  intent: 'line',
  paymentSource: 'line',
  store: 'line',
  buyerId: 'line',
  installmentCount: 'line',
  externalIdentifier: 'line',
  expiresAt: 'line',
  createdAt: 'line',
  updatedAt: 'line',
  offersReceipt: 'line',
  receiptRequestedAt: 'line',
  buyer: 'whole',
  shippingDetails: 'whole',
  cartItems: 'whole',
  splits: 'whole',
  statementDescriptor: 'whole',
  connectionOptions: 'whole',
  metadata: 'whole',
  locale: 'whole',
  merchantName: 'whole',
  merchantUrl: 'whole',
  merchantBannerUrl: 'whole',
  merchantColor: 'whole',
  merchantMessage: 'whole',
  merchantTermsAndConditionsUrl: 'whole',
  merchantFaviconUrl: 'whole',
  returnUrl: 'whole',
  routingVersionId: 'whole',
};

/**
 * The column sets of a payment link, without its token.
 *
 * - `line`: no JSON, and nothing of the page's look.
 * - `look`: the look and the language of a page about the link, without pictures.
 * - `whole`: every column.
 */
export const LINK_COLUMNS = {
  ...lineAndWhole<PaymentLink>(SET_OF, { status: shownStatus }),
  look: columnSet<PaymentLink>(
    'look',
    [
      ...([
        'id',
        'merchantAccountId',
        'externalIdentifier',
        'locale',
        'merchantName',
        'merchantUrl',
      ] as const),
      ...(['merchantColor', 'merchantTermsAndConditionsUrl', 'merchantFaviconUrl'] as const),
    ],
    Object.keys(SET_OF) as (keyof PaymentLink)[],
  ),
} as const;

/** The name of a column set of a payment link. */
export type LinkColumns = keyof typeof LINK_COLUMNS;
