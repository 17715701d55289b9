import type { LinkApplePay } from '../../../modules/payment-links/index.ts';
import { html, type Markup } from '../../pages/html.ts';
import type { Form } from '../form.ts';
import { decimal } from './google-pay.ts';
import { fill } from '../look/language.ts';
import { METHOD_NAMES } from '../look/method-names.ts';
import { APPLE_PAY } from '../submission.ts';
import type { View } from '../look/view.ts';

/**
 * Renders the button of Apple Pay. The script of the page shows the button if the browser has the wallet. The markup `key`
 * is part of every form.
 */
export function applePayForm(view: View, { methods, giftCards }: Form, key: Markup): Markup | false {
  const { texts } = view.language;
  const { applePay } = methods;
  if (!applePay) return false;
  const method = { method: METHOD_NAMES[APPLE_PAY] ?? '' };
  return html`<form
    method="post"
    data-apple-pay="${JSON.stringify(requestOf(view, applePay, giftCards.left))}"
    hidden
  >
    ${key}<input type="hidden" name="method" value="${APPLE_PAY}" />
    <button aria-label="${fill(texts.payWith, method)}"><span>${fill(texts.payWith, method)}</span></button>
    <div class="alert" role="alert" data-failed="${fill(texts.walletFailed, method)}" hidden></div>
  </form>`;
}

/** Returns the ApplePayPaymentRequest. `amount`: minor units that the buyer has yet to pay. */
const requestOf = (
  { link: { currency }, merchant }: View,
  { countryCode }: LinkApplePay,
  amount: number,
) => ({
  ...{ countryCode, currencyCode: currency },
  // An encrypted card of the buyer's device, with a cryptogram. Every merchant must have it.
  merchantCapabilities: ['supports3DS'],
  supportedNetworks: NETWORKS,
  total: { label: merchant, amount: decimal(amount, currency) },
});

const NETWORKS = ['amex', 'discover', 'jcb', 'masterCard', 'visa'];
