import {
  mandateReferenceOf,
  type BankPayment,
  type Transaction,
} from '../../../modules/transactions/index.ts';
import { html, type Markup } from '../../pages/html.ts';
import type { Page } from '../../pages/page.ts';
import { maskedNumber } from '../methods/card-form.ts';
import { formatDay } from '../look/language.ts';
import { backButton, CLOCK, factList, linkFacts, outcome } from '../outcome-page.ts';
import { say, type View } from '../look/view.ts';

/** A payment whose debit the bank has not decided. */
type StartedDebit = Transaction & { readonly bank: BankPayment };

/** Tells whether a payment is a bank debit that the provider has accepted and the bank has not decided. */
export const isStartedDebit = (payment: Transaction | null): payment is StartedDebit =>
  payment !== null && payment.bank !== null && payment.status === 'capture_pending';

/**
 * Renders the page of a started debit. The bank decides within days, so the page does not wait for the decision, and
 * leads back to the merchant. The page holds the notice to the payer that SEPA and Bacs demand.
 */
export function debitPage(view: View, payment: StartedDebit): Page {
  const { texts } = view.language;
  return outcome(view, {
    title: texts.debitTitle,
    icon: html`<span class="icon">${CLOCK}</span>`,
    rest: html`<p role="status">${say(texts.debitText, { merchant: view.merchant })}</p>
      ${factList([...debitFacts(view, payment.bank), ...linkFacts(view, payment)])}
      ${backButton(view, payment)}
      <a class="button" href="">${texts.checkNow}</a>`,
    amount: payment.amount - payment.giftCardAmount,
  });
}

function debitFacts({ merchant, language }: View, bank: BankPayment): readonly (readonly [string, Markup])[] {
  const { texts } = language;
  const { debitsOn = null, creditorId = null } = bank.debit ?? {};
  const reference = mandateReferenceOf(bank);
  const plain = (value: string): Markup => html`<bdi>${value}</bdi>`;
  return [
    ...(debitsOn === null ? [] : [[texts.debitDay, html`${formatDay(debitsOn, language)}`] as const]),
    [texts.debitAccount, maskedNumber(bank.lastFour)],
    [texts.debitCreditor, plain(merchant)],
    ...(creditorId === null ? [] : [[texts.debitCreditorId, plain(creditorId)] as const]),
    ...(reference === null ? [] : [[texts.debitMandate, plain(reference)] as const]),
  ];
}
