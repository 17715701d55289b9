import type { Approval } from '../../modules/transactions/index.ts';
import { html, type Markup } from '../pages/html.ts';
import { formatAmount, formatMoment } from '../pages/page.ts';

/** The page that tells the buyer of a push payment how to pay it elsewhere. `address`: where the buyer goes back to. */
export function voucher({ transaction, merchantName, expiresAt }: Approval, address: string | null): Markup {
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
      <dd><time datetime="${expiresAt.toISOString()}">${formatMoment(expiresAt)}</time></dd>
    </dl>
    <p class="note">
      Name the reference where you pay. This page stands for the provider's. No money moves.
      ${address !== null && html`<a href="${address}">Go back to ${merchantName}</a>.`}
    </p>`;
}

/** What is said of a voucher that is over: a title, and what it means. */
export function vouched({ transaction }: Approval): readonly [title: string, meaning: string] {
  return transaction.capturedAt === null
    ? ['This reference cannot be paid any more', 'Nothing was paid. Ask the merchant for a new payment.']
    : ['You paid this', 'You can close this page.'];
}
