import { bankPart } from './bank/form.ts';
import { cart } from './cart.ts';
import { html, type Markup } from '../pages/html.ts';
import type { Page } from '../pages/page.ts';
import { CARD_HEADING_ID, cardForm } from './methods/card-form.ts';
import { giftCardPart, giftCardsAloneForm } from './methods/gift-card-form.ts';
import { applePayForm } from './methods/apple-pay.ts';
import { GOOGLE_PAY_ADDRESSES, googlePayForm } from './methods/google-pay.ts';
import { methodMark } from './look/marks.ts';
import { momentOf } from './look/moment.ts';
import { APPLE_PAY_STYLE } from './look/style.ts';
import { amountOf, linksLine, mark, ownAddress, pageOf, say, titleOf, type View } from './look/view.ts';
import type { Form } from './form.ts';

/** The page on which a link is paid. */
export function formPage(view: View, form: Form): Page {
  const page = pageOf(view, {
    title: titleOf(view),
    status: form.status ?? 200,
    ...(hasWallet(form) && { paymentMethods: form.methods.googlePay ? GOOGLE_PAY_ADDRESSES : [] }),
    body: html`<div class="checkout">
      ${summary(view)} ${panel(view, form)} ${details(view)} ${linksLine(view)}
    </div>`,
  });
  return form.methods.applePay ? { ...page, styles: [...(page.styles ?? []), APPLE_PAY_STYLE] } : page;
}

/** True if the page offers a wallet of the browser. */
const hasWallet = ({ methods: { applePay, googlePay } }: Form): boolean => (applePay ?? googlePay) !== null;

function summary(view: View): Markup {
  const { link, merchant, language, sandbox } = view;
  const { texts } = language;
  const banner = ownAddress(link.merchantBannerUrl);
  return html`<section class="summary">
    ${banner !== null && html`<img class="banner" src="${banner}" alt="" />`}
    <div class="merchant">
      ${mark(view)}
      <h1>${say(texts.title, { merchant })}</h1>
    </div>
    <div>
      <p class="amount"><bdi>${amountOf(view)}</bdi></p>
      ${sandbox && html`<p class="test">${texts.test}</p>`}
    </div>
    ${link.merchantMessage !== null && html`<p class="message" dir="auto">${link.merchantMessage}</p>`}
  </section>`;
}

function details(view: View): Markup {
  const { link, language } = view;
  const { texts } = language;
  return html`<section class="rest" aria-label="${texts.summary}">
    ${link.cartItems !== null && cart(view)}
    <dl class="facts">
      ${
        link.externalIdentifier !== null &&
        html`<dt>${texts.reference}</dt>
          <dd><bdi>${link.externalIdentifier}</bdi></dd>`
      }
      <dt>${texts.validUntil}</dt>
      <dd>${momentOf(link.expiresAt, language)}</dd>
    </dl>
  </section>`;
}

function panel(view: View, form: Form): Markup {
  const { texts } = view.language;
  const { card, redirects, giftCards } = form.methods;
  const key = html`<input type="hidden" name="form_key" value="${form.formKey}" />`;
  const note = form.warning && say(texts[form.warning], { merchant: view.merchant });
  // The first wrong field gets the focus. Without one, the message gets the focus.
  const focused = (form.wrong?.size ?? 0) === 0 && html` tabindex="-1" autofocus`;
  const isPaid = form.giftCards.left === 0 && form.giftCards.cards.length > 0;
  const nothing = !card && !giftCards && !form.debit && redirects.length === 0;
  return html`<section class="panel">
    ${note && html`<div class="alert" role="alert" ${focused}>${note}</div>`}
    ${nothing && html`<p ${hasWallet(form) && html`data-none`}>${say(texts.noMethods, { merchant: view.merchant })}</p>`}
    ${giftCardPart(view, form, key)} ${isPaid ? giftCardsAloneForm(view, key) : methods(view, form, key)}
  </section>`;
}

/** The ways to pay what gift cards have left. */
function methods(view: View, form: Form, key: Markup): Markup {
  const { texts } = view.language;
  const { card, redirects } = form.methods;
  const isSecond = redirects.length > 0 || form.debit !== null;
  return html`${applePayForm(view, form, key)} ${googlePayForm(view, form, key)}
  ${redirects.map(
    (method) =>
      html`<form method="post">
        ${key}
        <button name="method" value="${method}" data-paying="${texts.paying}">
          ${methodMark(method)}<span>${say(texts.payWith, { method: view.nameOf(method) })}</span>
        </button>
      </form>`,
  )}
  ${bankPart(view, form, !card && redirects.length === 0)}
  ${
    card &&
    html`<h2
        id="${CARD_HEADING_ID}"
        ${isSecond ? html` class="or"` : hasWallet(form) && html` data-or="${texts.orCard}"`}
      >
        ${isSecond ? texts.orCard : texts.cardHeading}
      </h2>
      ${cardForm(view, form, key)}`
  }`;
}
