import { isTakenBack } from '../../modules/payment-links/index.ts';
import type { Redemption, Transaction } from '../../modules/transactions/index.ts';
import { html, type Markup } from '../pages/html.ts';
import type { Page } from '../pages/page.ts';
import { withOutcome } from '../pages/return-address.ts';
import { brandOf } from './look/color.ts';
import { maskedNumber } from './methods/card-form.ts';
import type { Language } from './look/language.ts';
import { SCHEMES } from './look/marks.ts';
import { momentOf } from './look/moment.ts';
import { SCRIPT } from './look/script.ts';
import { brandStyle, STYLE } from './look/style.ts';
import {
  amountOf,
  linksLine,
  merchantLine,
  pageOf,
  place,
  say,
  webAddressOf,
  type View,
} from './look/view.ts';

/** A payment and the gift cards that paid a part of it. */
export type PaidParts = {
  /** Null if the link was paid without a payment that is known. */
  readonly payment: Transaction | null;
  readonly redemptions: readonly Redemption[];
};

/** Renders the page of a paid link: the payment, its `receipt`, and a way back with ids only. */
export function completedPage(view: View, paid: PaidParts, receipt: Markup | false): Page {
  const { payment } = paid;
  if (payment && isTakenBack(payment)) return takenBackPage(view, payment);
  const { merchant, language } = view;
  const { texts } = language;
  return outcome(view, {
    title: texts.completedTitle,
    icon: html`<span class="icon good">${TICK}</span>`,
    rest: html`<p>
        ${say(payment && isReserved(payment) ? texts.reservedText : texts.completedText, { merchant })}
      </p>
      ${factList([...paidFacts(view, paid), ...linkFacts(view, payment)])} ${receipt}
      ${backButton(view, payment)}
      <button type="button" data-print hidden>${texts.print}</button>`,
    amount: view.link.amount,
  });
}

/** Tells whether the merchant has yet to capture the authorised amount. */
const isReserved = ({ status }: Transaction): boolean => status === 'authorization_succeeded';

/** Renders the page of a payment that came back, such as a debit without funds. The link was paid and stays so. */
const takenBackPage = (view: View, payment: Transaction): Page =>
  outcome(view, {
    title: view.language.texts.takenBackTitle,
    icon: html`<span class="icon bad">${CLOCK}</span>`,
    rest: html`<p>${say(view.language.texts.takenBackText, { merchant: view.merchant })}</p>
      ${factList(linkFacts(view, payment))} ${homeButton(view)}`,
    amount: payment.captureReversedAmount,
  });

/**
 * Renders the page of a link that is being paid.
 *
 * The page reloads itself. With a script the page polls instead, so that no reader is interrupted. With
 * `goesOn` the page redirects to the approval page at once.
 */
export function processingPage(view: View, payment: Transaction | null, goesOn: boolean): Page {
  const { texts } = view.language;
  const approvalUrl = webAddressOf(payment?.approvalUrl ?? null);
  const state = approvalUrl === null ? 'processing' : 'approval';
  const head =
    approvalUrl !== null && goesOn
      ? html`<meta http-equiv="refresh" content="0;url=${approvalUrl}" />`
      : html`<noscript><meta http-equiv="refresh" content="3" /></noscript>`;
  const button =
    approvalUrl !== null && html`<a class="button main" href="${approvalUrl}">${texts.approvalButton}</a>`;
  return outcome(view, {
    title: approvalUrl === null ? texts.processingTitle : texts.approvalTitle,
    icon: html`<span class="icon" data-state="${state}"><span class="spin"></span></span>`,
    rest: html`<p role="status">${approvalUrl === null ? texts.processingText : texts.approvalText}</p>
      ${button} <a class="button" href="">${texts.checkNow}</a>`,
    head,
    amount: view.link.amount,
  });
}

/** Renders the page of a link that can no longer be paid. */
export const expiredPage = (view: View): Page =>
  outcome(view, {
    status: 410,
    title: view.language.texts.expiredTitle,
    icon: html`<span class="icon">${CLOCK}</span>`,
    rest: html`<p>${say(view.language.texts.expiredText, { merchant: view.merchant })}</p>
      ${homeButton(view)}`,
  });

/** Renders the page for a buyer after too many tries. */
export function tooManyPage(view: View, waitSeconds: number): Page {
  const { texts, tag } = view.language;
  const minutes = new Intl.NumberFormat(tag).format(Math.ceil(waitSeconds / 60));
  return outcome(view, {
    status: 429,
    title: texts.tooManyTitle,
    icon: html`<span class="icon bad">${CLOCK}</span>`,
    rest: html`<p>${say(texts.tooManyText, { minutes })}</p>
      <a class="button" href="">${texts.tryAgain}</a>`,
  });
}

/** Renders the page of an unknown address. */
export const unknownPage = (language: Language): Page => ({
  status: 404,
  title: language.texts.unknownTitle,
  language,
  styles: [STYLE, brandStyle(brandOf(null))],
  script: SCRIPT,
  body: html`<section class="panel outcome">
    <span class="icon">${QUESTION}</span>
    <h1>${language.texts.unknownTitle}</h1>
    <p>${language.texts.unknownText}</p>
  </section>`,
});

type Outcome = Pick<Page, 'title' | 'status' | 'head'> & {
  readonly icon: Markup;
  readonly rest: Markup;
  /** Minor units of the link's currency. */
  readonly amount?: number;
};

/** Renders a page about the state of a link. */
export const outcome = (view: View, { title, status, head, icon, rest, amount }: Outcome): Page =>
  pageOf(view, {
    title,
    ...(status !== undefined && { status }),
    ...(head && { head }),
    body: html`<div class="around">
      ${merchantLine(view)}
      <section class="panel outcome">
        ${icon}
        <h1>${title}</h1>
        ${amount !== undefined && html`<p class="amount"><bdi>${amountOf(view, amount)}</bdi></p>`} ${rest}
      </section>
      ${linksLine(view)}
    </div>`,
  });

/** The name of a fact and its values. */
export type Fact = readonly [name: string, ...values: readonly Markup[]];

/** Renders facts about a payment. */
export const factList = (facts: readonly Fact[]): Markup | false =>
  facts.length > 0 &&
  html`<dl class="facts">
    ${facts.map(
      ([name, ...values]) =>
        html`<dt>${name}</dt>
          ${values.map((value) => html`<dd>${value}</dd>`)}`,
    )}
  </dl>`;

/** Lists the methods and the moment of a payment. */
function paidFacts(view: View, { payment, redemptions }: PaidParts): readonly Fact[] {
  if (payment === null) return [];
  const { texts } = view.language;
  const at = payment.capturedAt ?? payment.authorizedAt ?? payment.createdAt;
  const methods = paidMethods(view, payment, redemptions);
  return [
    ...(methods.length === 0 ? [] : [[texts.paidWith, ...methods] as const]),
    [texts.paidOn, momentOf(at, view.language)],
  ];
}

/** Lists the gift cards and the method that paid. Each of several has its amount. */
function paidMethods(
  view: View,
  payment: Transaction,
  redemptions: readonly Redemption[],
): readonly Markup[] {
  const { texts } = view.language;
  const left = payment.amount - payment.giftCardAmount;
  const method = left > 0 ? methodOf(view, payment) : null;
  const parts = [
    ...redemptions.map(({ lastFour, amount }) => ({
      name: place(texts.giftCard, maskedNumber(lastFour)),
      amount,
    })),
    ...(method === null ? [] : [{ name: method, amount: left }]),
  ];
  if (parts.length === 1) return parts.map(({ name }) => name);
  return parts.map(({ name, amount }) => html`${name}: <bdi>${amountOf(view, amount)}</bdi>`);
}

/** Renders a card by its scheme and its last digits, and another method by its name. Null for means without either. */
function methodOf(
  { nameOf, language: { texts } }: View,
  { method, cardScheme, cardLastFour, bank }: Transaction,
): Markup | null {
  if (cardLastFour !== null)
    return html`${cardScheme !== null && SCHEMES[cardScheme]} ${maskedNumber(cardLastFour)}`;
  if (bank !== null) return place(texts.debitMethod, maskedNumber(bank.lastFour));
  return UNNAMED.has(method) ? null : html`<bdi>${nameOf(method)}</bdi>`;
}

/** The methods whose payments tell their own means. A payment without them has no name. */
const UNNAMED: ReadonlySet<string> = new Set(['bank', 'card', 'gift-card']);

/** Lists the merchant's reference of a link, and the id of the payment. */
export function linkFacts({ link, language }: View, payment: Transaction | null): readonly Fact[] {
  const { texts } = language;
  return [
    ...(link.externalIdentifier === null
      ? []
      : [[texts.reference, html`<bdi>${link.externalIdentifier}</bdi>`] as const]),
    ...(payment ? [[texts.paymentId, html`<bdi>${payment.id}</bdi>`] as const] : []),
  ];
}

/** Renders the way back to the merchant, with the id and the status of the payment. */
export function backButton({ link, merchant, language }: View, payment: Transaction | null): Markup | false {
  const back = webAddressOf(link.returnUrl);
  return (
    back !== null &&
    html`<a class="button main" href="${payment ? withOutcome(back, payment) : back}"
      ><span>${say(language.texts.back, { merchant })}</span></a
    >`
  );
}

function homeButton({ link, merchant, language }: View): Markup | false {
  const home = webAddressOf(link.merchantUrl);
  return (
    home !== null &&
    html`<a class="button" href="${home}"><span>${say(language.texts.back, { merchant })}</span></a>`
  );
}

const icon = (path: Markup): Markup =>
  html`<svg
    width="28"
    height="28"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    ${path}
  </svg>`;
const TICK = icon(html`<path d="M5 12.5l4.5 4.5L19 7.5" />`);
/** The sign of a state that time changes. */
export const CLOCK = icon(html`<circle cx="12" cy="12" r="9" /><path d="M12 7v5l3 2" />`);
const QUESTION = icon(html`<path d="M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.01" />`);
