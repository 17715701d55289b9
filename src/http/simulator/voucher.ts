import type { Approval } from '../../modules/transactions/index.ts';
import { html, type Markup } from '../pages/html.ts';
import { localTime } from '../pages/local-time.ts';
import { formatAmount } from '../pages/page.ts';

/** Renders the page with a push payment's instructions. `address`: the return address. */
export function voucherPage(
  { transaction, merchantName, expiresAt }: Approval,
  address: string | null,
): Markup {
  const { method, amount, currency, paymentReference, externalIdentifier } = transaction;
  return html`<p class="over">Sandbox · ${method}</p>
    <h1>Pay ${merchantName}</h1>
    <p class="amount">${formatAmount(amount, currency)}</p>
    <dl>
      <dt>Reference</dt>
      <dd>${paymentReference}</dd>
      ${
        externalIdentifier !== null &&
        html`<dt>Order</dt>
          <dd>${externalIdentifier}</dd>`
      }
      <dt>Pay by</dt>
      <dd>${localTime(expiresAt)}</dd>
    </dl>
    <p class="note">
      Name the reference where you pay. This page stands for the provider's. No money moves.
      ${address !== null && html`<a href="${address}">Go back to ${merchantName}</a>.`}
    </p>`;
}

/** Returns the title and the meaning of a finished voucher. */
export function finishedVoucher({ transaction }: Approval): readonly [title: string, meaning: string] {
  return transaction.capturedAt === null
    ? ['This reference cannot be paid any more', 'Nothing was paid. Ask the merchant for a new payment.']
    : ['The payment is complete', 'You can close this page.'];
}
