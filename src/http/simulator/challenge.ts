import type { Approval } from '../../modules/transactions/index.ts';
import { html, type Markup } from '../pages/html.ts';
import { localTime } from '../pages/local-time.ts';
import { formatAmount } from '../pages/page.ts';

/**
 * Renders the page on which the sandbox's buyer passes or fails a 3-D Secure challenge. `address`: the return address.
 */
export function challengePage(
  { transaction, merchantName, expiresAt }: Approval,
  address: string | null,
): Markup {
  const { threeDSecure, currency, cardLastFour, externalIdentifier } = transaction;
  const buyerChooses = threeDSecure?.challengeResult == null;
  return html`<p class="over">Sandbox · 3-D Secure</p>
    <h1>Confirm it is you</h1>
    <p class="amount">${formatAmount(threeDSecure?.amount ?? transaction.amount, currency)}</p>
    <dl>
      <dt>Merchant</dt>
      <dd>${merchantName}</dd>
      ${
        cardLastFour !== null &&
        html`<dt>Card</dt>
          <dd>•••• ${cardLastFour}</dd>`
      }
      ${
        externalIdentifier !== null &&
        html`<dt>Order</dt>
          <dd>${externalIdentifier}</dd>`
      }
      <dt>Confirm by</dt>
      <dd>${localTime(expiresAt)}</dd>
    </dl>
    <form method="post">
      <button class="main" name="decision" value="approved">Confirm it is you</button>
      ${buyerChooses && html`<button name="decision" value="refused">Fail the challenge</button>`}
    </form>
    <p class="note">
      This page stands for the card issuer's. No money moves.
      ${!buyerChooses && html`A rule of the sandbox decides the result of the challenge.`}
      ${address !== null && html`<a href="${address}">Go back without confirming</a>.`}
    </p>`;
}

/** Returns the title and the meaning of a finished challenge. */
export function finishedChallenge({
  transaction,
  state,
}: Approval): readonly [title: string, meaning: string] {
  switch (transaction.threeDSecure?.status) {
    case 'complete':
      return ['You confirmed that it is you', 'You can close this page.'];
    case 'declined':
      return ['The check of your identity failed', 'Nothing was paid. You can close this page.'];
    case 'error':
      return ['The challenge ended without a result', 'You can close this page.'];
    default:
      return state === 'expired'
        ? ['The time to confirm has passed', 'Nothing was paid. Ask the merchant for a new payment.']
        : ['Your answer was received', 'The payment goes on. You can close this page.'];
  }
}
