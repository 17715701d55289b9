import type { Transaction } from '../../modules/transactions/index.ts';
import { html } from '../pages/html.ts';
import type { Page } from '../pages/page.ts';
import { copyButton, withInstruction } from './instruction.ts';
import { momentOf } from './look/moment.ts';
import { webAddressOf, type View } from './look/view.ts';
import { CLOCK, factList, linkFacts, outcome, type Fact } from './outcome-page.ts';

/** A payment whose buyer pays elsewhere, and names a reference there. */
type Voucher = Transaction & { readonly paymentReference: string };

/** Tells whether a payment waits for its buyer to pay with a reference. */
export const isVoucher = (payment: Transaction | null): payment is Voucher =>
  payment?.status === 'processing' && payment.paymentReference != null;

/** Renders the page of a link whose buyer pays with a reference. A button leads to the page of the provider, if there is one. */
export function voucherPage(view: View, payment: Voucher): Page {
  const { texts } = view.language;
  const { paymentReference, amount, giftCardAmount } = payment;
  const approvalUrl = webAddressOf(payment.approvalUrl);
  const page = outcome(view, {
    title: texts.voucherTitle,
    icon: html`<span class="icon" data-state="voucher">${CLOCK}</span>`,
    rest: html`<p role="status">${texts.voucherText}</p>
      <p class="reference"><bdi dir="ltr">${paymentReference}</bdi></p>
      ${copyButton(paymentReference, texts.voucherCopy, texts)}
      ${factList([...deadlineFacts(view, payment), ...linkFacts(view, payment)])}
      ${approvalUrl !== null && html`<a class="button main" href="${approvalUrl}">${texts.voucherOpen}</a>`}
      <a class="button" href="">${texts.checkNow}</a>
      <button type="button" data-print hidden>${texts.print}</button>`,
    amount: amount - giftCardAmount,
  });
  return withInstruction(page);
}

/** Names the last moment at which the buyer can pay. */
const deadlineFacts = ({ language }: View, { approvalExpiresAt: end }: Voucher): readonly Fact[] =>
  end === null ? [] : [[language.texts.validUntil, momentOf(end, language)]];
