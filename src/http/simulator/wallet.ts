import type { Approval } from '../../modules/transactions/index.ts';

/** Returns the title and the meaning of an approval in a client, if the page has nothing left to decide. */
export function clientDecision({ state, completed }: Approval): readonly [title: string, meaning: string] {
  switch (state) {
    case 'approved':
      return completed
        ? ['You approved this payment', 'You can close this page.']
        : ['You approved this payment', 'Go back to the shop to complete the payment.'];
    case 'refused':
      return ['You refused this payment', 'Nothing was paid. You can close this page.'];
    default:
      return ['The time to approve has passed', 'Nothing was paid. Ask the merchant for a new payment.'];
  }
}
