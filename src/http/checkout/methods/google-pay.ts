import { decimalsOf } from '../../../kernel/currency.ts';
import type { LinkGooglePay } from '../../../modules/payment-links/index.ts';
import { html, type Markup } from '../../pages/html.ts';
import type { Form } from '../form.ts';
import { methodMark } from '../look/marks.ts';
import { METHOD_NAMES } from '../look/method-names.ts';
import { GOOGLE_PAY } from '../submission.ts';
import { say, type View } from '../look/view.ts';

/** The identifier of Google Pay in the Payment Request API. */
const IDENTIFIER = 'https://google.com/pay';

/** The addresses that a browser asks about Google Pay. The policy of the page must allow them. */
export const GOOGLE_PAY_ADDRESSES = [IDENTIFIER, 'https://www.google.com/pay', 'https://pay.google.com'];

/**
 * Renders the button of Google Pay. The script of the page shows the button if the browser has the wallet. The markup
 * `key` is part of every form.
 */
export function googlePayForm(view: View, { methods, giftCards }: Form, key: Markup): Markup | false {
  const { texts } = view.language;
  const { googlePay } = methods;
  if (!googlePay) return false;
  const request = JSON.stringify(requestOf(view, googlePay, giftCards.left));
  return html`<form method="post" data-google-pay="${request}" hidden>
    ${key}<input type="hidden" name="wallet_token" value="" />
    <input type="hidden" name="method" value="${GOOGLE_PAY}" />
    <button data-paying="${texts.paying}">
      ${methodMark(GOOGLE_PAY)}<span>${say(texts.payWith, { method: METHOD_NAMES[GOOGLE_PAY] ?? '' })}</span>
    </button>
  </form>`;
}

/** Returns the arguments of the browser's PaymentRequest. `amount`: minor units that the buyer has yet to pay. */
const requestOf = (
  { link: { currency }, merchant, sandbox }: View,
  { merchantId, gateway }: LinkGooglePay,
  amount: number,
) => ({
  method: {
    supportedMethods: IDENTIFIER,
    data: {
      ...{ environment: sandbox ? 'TEST' : 'PRODUCTION', apiVersion: 2, apiVersionMinor: 0 },
      merchantInfo: { merchantId, merchantName: merchant },
      allowedPaymentMethods: [
        {
          type: 'CARD',
          parameters: { allowedAuthMethods: AUTH_METHODS, allowedCardNetworks: NETWORKS },
          tokenizationSpecification: { type: 'PAYMENT_GATEWAY', parameters: gateway },
        },
      ],
    },
  },
  details: { total: { label: merchant, amount: { currency, value: decimal(amount, currency) } } },
});

/** A card on file at Google, and a card on the buyer's device. */
const AUTH_METHODS = ['PAN_ONLY', 'CRYPTOGRAM_3DS'];
const NETWORKS = ['AMEX', 'DISCOVER', 'JCB', 'MASTERCARD', 'VISA'];

/** Writes minor units as a decimal number, without a float. */
export function decimal(amount: number, currency: string): string {
  const decimals = decimalsOf(currency) ?? 2;
  const digits = String(amount).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
