import { bankPart } from './bank/form.ts';
import { html, type Markup } from '../pages/html.ts';
import type { Page } from '../pages/page.ts';
import { CARD_HEADING_ID, cardForm } from './methods/card-form.ts';
import { giftCardPart, giftCardsAloneForm } from './methods/gift-card-form.ts';
import { applePayForm } from './methods/apple-pay.ts';
import { GOOGLE_PAY_ADDRESSES, googlePayForm } from './methods/google-pay.ts';
import { formatDeadline } from './look/language.ts';
import { METHOD_NAMES, methodMark } from './look/marks.ts';
import { APPLE_PAY_STYLE } from './look/style.ts';
import {
  amountOf,
  ITEMS_MAX,
  linksLine,
  mark,
  ownAddress,
  pageOf,
  say,
  titleOf,
  type View,
} from './look/view.ts';
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
    ${link.cartItems !== null && items(view)}
    <dl class="facts">
      ${
        link.externalIdentifier !== null &&
        html`<dt>${texts.reference}</dt>
          <dd><bdi>${link.externalIdentifier}</bdi></dd>`
      }
      <dt>${texts.validUntil}</dt>
      <dd>
        <time datetime="${link.expiresAt.toISOString()}" data-local
          >${formatDeadline(link.expiresAt, language)}</time
        >
      </dd>
    </dl>
  </section>`;
}

function items(view: View): Markup {
  const { texts, tag } = view.language;
  const all = view.link.cartItems ?? [];
  const rest = all.length - ITEMS_MAX;
  return html`<ul class="items">
    ${all.slice(0, ITEMS_MAX).map((item) => itemLine(view, item))}
    ${rest > 0 && html`<li>${say(texts.more, { count: new Intl.NumberFormat(tag).format(rest) })}</li>`}
    <li class="total">
      <span class="what">${texts.total}</span><span class="price"><bdi>${amountOf(view)}</bdi></span>
    </li>
  </ul>`;
}

type Item = NonNullable<View['link']['cartItems']>[number];

function itemLine(view: View, item: Item): Markup {
  const { name, quantity, unitAmount, discountAmount, taxAmount, productType, imageUrl } = item;
  const sign = productType === 'discount' || productType === 'store_credit' ? -1 : 1;
  const image = ownAddress(imageUrl);
  const price = sign * (quantity * unitAmount - discountAmount + taxAmount);
  return html`<li>
    ${image !== null && html`<img class="thumb" src="${image}" alt="" loading="lazy" />`}
    <span class="what">
      <bdi>${name}</bdi>
      ${
        quantity > 1 &&
        html`<span class="count">${quantity} × <bdi>${amountOf(view, unitAmount)}</bdi></span>`
      }
    </span>
    <span class="price"><bdi>${amountOf(view, price)}</bdi></span>
  </li>`;
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
          ${methodMark(method)}<span>${say(texts.payWith, { method: METHOD_NAMES[method] ?? method })}</span>
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
