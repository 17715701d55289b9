import { ADYEN_METHODS, idOf as adyenId } from '../../../src/connectors/adyen/methods.ts';
import { METHOD_NAMES } from '../../../src/http/checkout/look/method-names.ts';
import { REDIRECT_METHODS as MOLLIE_METHODS } from '../../../src/connectors/mollie/methods.ts';
import { idOf as stripeId, STRIPE_METHODS } from '../../../src/connectors/stripe/model/methods.ts';
import { code, table, WRITTEN } from './table.ts';

type Method = (typeof ADYEN_METHODS | typeof STRIPE_METHODS)[number];

const FLOWS = {
  push: 'in an app, which the provider asks',
  qr: 'by a code on a page',
  redirect: 'at a page',
  voucher: 'with a reference, at a shop or a bank',
} as const;

const NEEDS = {
  billingAddress: 'address',
  billingCountry: 'country',
  brazilianTaxId: 'CPF or CNPJ',
  cartItems: 'cart',
  email: 'email address',
  firstName: 'first name',
  lastName: 'last name',
  name: 'name',
  phone: 'phone number',
  shippingAddress: 'receiver',
} as const satisfies Record<Method['needs'][number], string>;

function refundsOf(given: Row): string {
  if (!given.isRefunded) return '';
  return 'isPartlyRefunded' in given && !given.isPartlyRefunded ? 'whole' : 'yes';
}

type Row = Pick<
  Method,
  'method' | 'flow' | 'currencies' | 'countries' | 'capturesLater' | 'isRefunded' | 'needs'
>;

const rowOf = (id: string, given: Row): readonly string[] => [
  METHOD_NAMES[given.method] ?? given.method,
  code(given.method),
  code(id),
  FLOWS[given.flow],
  given.currencies.join(', ') || 'any',
  given.countries.join(', ') || 'any',
  given.capturesLater ? 'yes' : '',
  refundsOf(given),
  given.needs.map((need) => NEEDS[need]).join(', '),
];

/** Every row of Mollie has these values. */
const AT_MOLLIE = { flow: 'redirect', capturesLater: false, isRefunded: true, needs: [] } as const;

const rows = (): readonly (readonly string[])[] =>
  [
    ...STRIPE_METHODS.map((each) => rowOf(stripeId(each), each)),
    ...ADYEN_METHODS.map((each) => rowOf(adyenId(each), each)),
    ...MOLLIE_METHODS.map((each) => rowOf(`mollie-${each.method}`, { ...each, ...AT_MOLLIE })),
  ].toSorted(
    ([a = '', , c = ''], [b = '', , d = '']) => a.localeCompare(b, 'en') || d.localeCompare(c, 'en'),
  );

/** Writes the page of the methods that a buyer approves or pays elsewhere. */
export const paymentMethodsPage = (): string => `${WRITTEN}

# Payment methods by redirect

The buyer of these methods approves or pays elsewhere. A payment names the method, and a payment service of one of the
definitions carries the payment out:

\`\`\`json
{ "paymentMethod": { "redirect": { "method": "klarna" } } }
\`\`\`

A payment link offers every method that a payment service of the merchant account takes in its currency and country. A link
without the data in "needs" does not offer the method.

${table(
  [
    'name',
    'method',
    'definition',
    'the buyer pays',
    'currencies',
    'countries',
    'capture later',
    'refund',
    'needs',
  ],
  rows(),
)}

- The countries are those of the payment. A payment service takes a part of the currencies and countries of its definition.
- A method without "capture later" is captured as soon as the buyer pays. Its intent is \`CAPTURE\`.
- A method without "refund" is never refunded by the provider. Paygraph refuses the refund before any call.
- A method with the refund "whole" takes no refund of a part of the payment. The facts of the provider leave such refunds open.
- A payment without the data in "needs" fails before the call. \`rawResponseDescription\` names the path of the data.
- The account at the provider must have the method. The providers switch methods on in their own pages.
- A cart in "needs" is \`cartItems\` that make the amount, as [Carts and orders](carts.md) says. No gift card may pay a part.
- None of the methods is stored for later payments.

The facts come from the descriptions of the providers, and some from general knowledge. The guides of
[Stripe](stripe.md#to-confirm-with-a-test-account), [Adyen](adyen.md#to-confirm-with-a-test-account) and
[Mollie](mollie.md#to-confirm-with-a-test-account) list what a test account must confirm.

## With a reference

A voucher makes a [push payment](push-payments.md). Its \`paymentReference\` is for the buyer, and \`approvalUrl\` leads to
the page of the provider. The buyer has until \`approvalExpiresAt\`, which is the end that the provider names.

A shop tells of a payment days later. So Paygraph ends an unpaid voucher five days after its time, and the payment fails then.

\`stripe-konbini\` has a reference for each shop. Only the page at \`approvalUrl\` shows them.

## With a code

The page at \`approvalUrl\` shows the code. The page is Stripe's if Stripe has one for the payment, and otherwise Paygraph's. The
page of Paygraph has the look and the language of the payment link. Without a link, the page speaks the language of the browser.
The page leads to \`redirectUrl\` once the payment is decided.

## Other methods

A [package](write-a-connector.md) may bring methods with new names. A name has 2 to 50 lower-case letters, digits, hyphens and
underscores, and begins with a letter. Links, lists, filters and reports take such a method as any other. The payment page shows
\`displayName\` of its definition.
`;
