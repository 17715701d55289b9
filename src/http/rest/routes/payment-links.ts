import type { RecordForm, Route } from '../route.ts';
import { byId } from './by-id.ts';
import { BILLING_DETAILS, CART_ITEMS, CONTACT, SPLITS, STATEMENT_DESCRIPTOR } from './people-fields.ts';

const paymentLink: RecordForm = {
  name: 'PaymentLink',
  on: 'PaymentLink',
  fields: `type id merchantAccountId url status amount currency country intent paymentSource store
    buyerId buyer { id displayName externalIdentifier accountNumber ${BILLING_DETAILS} }
    shippingDetails { id buyerId ${CONTACT} }
    ${CART_ITEMS} ${SPLITS} ${STATEMENT_DESCRIPTOR} metadata connectionOptions installmentCount externalIdentifier locale
    merchantName merchantUrl merchantBannerUrl merchantColor merchantMessage merchantTermsAndConditionsUrl
    merchantFaviconUrl returnUrl offersReceipt routingVersionId receiptRequestedAt expiresAt createdAt updatedAt`,
};

const tag = 'Payment links';

/** The paths of hosted pages that collect one payment each. */
export const paymentLinkRoutes: readonly Route[] = [
  {
    ...{ method: 'POST', path: '/payment-links', tag, summary: 'Create a payment link' },
    field: 'Mutation.createPaymentLink',
    body: {
      argument: 'input',
      example: { amount: 1299, currency: 'USD', country: 'US', external_identifier: 'order-1' },
    },
    answer: { kind: 'record', at: ['paymentLink'], record: paymentLink },
  },
  {
    ...{ method: 'GET', path: '/payment-links', tag, summary: 'List payment links' },
    field: 'Query.paymentLinks',
    answer: { kind: 'page', record: paymentLink },
  },
  {
    ...{ method: 'GET', ...byId('/payment-links', 'payment_link_id'), tag, summary: 'Get a payment link' },
    field: 'Query.paymentLink',
    answer: { kind: 'record', record: paymentLink },
  },
  {
    ...{ method: 'POST', ...byId('/payment-links', 'payment_link_id', '/expire'), tag },
    summary: 'Expire a payment link',
    field: 'Mutation.expirePaymentLink',
    answer: { kind: 'none' },
  },
];
