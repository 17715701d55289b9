import type { LinkMethods } from '../../modules/payment-links/index.ts';
import { html, type Markup } from '../pages/html.ts';
import type { Page } from '../pages/page.ts';
import { formatDeadline } from './language.ts';
import type { FieldName, FormValues } from './submission.ts';
import { amountOf, ITEMS_MAX, linksLine, mark, ownAddress, pageOf, say, titleOf, type View } from './view.ts';

/** What a buyer fills in, and what is said about the last try. */
export type Form = {
  readonly methods: LinkMethods;
  /** See formKeyOf. */
  readonly formKey: string;
  readonly status?: number;
  /** What the whole try came to. */
  readonly said?: 'checkFields' | 'declined' | 'notApproved' | 'refused' | 'stale';
  readonly wrong?: ReadonlySet<FieldName>;
  /** What may be shown again: never a card's number or security code. */
  readonly values?: FormValues;
};

/** The page on which a link is paid. */
export const formPage = (view: View, form: Form): Page =>
  pageOf(view, {
    title: titleOf(view),
    status: form.status ?? 200,
    body: html`<div class="checkout">
      ${summary(view)} ${panel(view, form)} ${details(view)} ${linksLine(view)}
    </div>`,
  });

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
        <time datetime="${link.expiresAt.toISOString()}">${formatDeadline(link.expiresAt, language)}</time>
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
  const { card, redirects } = form.methods;
  const key = html`<input type="hidden" name="form_key" value="${form.formKey}" />`;
  const note = form.said && say(texts[form.said], { merchant: view.merchant });
  // The first field that is wrong gets the focus; when there is none, what is said gets it.
  const focused = (form.wrong?.size ?? 0) === 0 && html` tabindex="-1" autofocus`;
  return html`<section class="panel">
    ${note && html`<div class="alert" role="alert" ${focused}>${note}</div>`}
    ${!card && redirects.length === 0 && html`<p>${say(texts.noMethods, { merchant: view.merchant })}</p>`}
    ${redirects.map(
      (method) =>
        html`<form method="post">
          ${key}
          <button name="method" value="${method}" data-paying="${texts.paying}">
            <span>${say(texts.payWith, { method: METHOD_NAMES[method] ?? method })}</span>
          </button>
        </form>`,
    )}
    ${
      card &&
      html`<h2${redirects.length > 0 && html` class="or"`}>${redirects.length > 0 ? texts.orCard : texts.cardHeading}</h2>
      ${cardForm(view, form, key)}`
    }
  </section>`;
}

/** As the methods write themselves. */
const METHOD_NAMES: Readonly<Record<string, string>> = { paypal: 'PayPal' };

function cardForm(view: View, form: Form, key: Markup): Markup {
  const { link, merchant, language } = view;
  const { texts } = language;
  const first = FIELDS.find((name) => form.wrong?.has(name));
  const field = (name: FieldName, attributes: Markup, hint?: string) =>
    fieldOf(
      { name, label: texts[LABELS[name]], error: texts[ERRORS[name]], attributes, hint },
      { isWrong: form.wrong?.has(name) ?? false, isFocused: name === first },
    );
  const { expiry = '', name = '' } = form.values ?? {};
  return html`<form class="card" method="post" novalidate>
    ${key}<input type="hidden" name="method" value="card" />
    ${field('number', html`inputmode="numeric" autocomplete="cc-number" dir="ltr" maxlength="40"`)}
    <div class="pair">
      ${field(
        'expiry',
        html`inputmode="numeric" autocomplete="cc-exp" dir="ltr" maxlength="7"
        placeholder="${texts.expiryExample}" value="${expiry}"`,
      )}
      ${field(
        'security_code',
        html`inputmode="numeric" autocomplete="cc-csc" dir="ltr" maxlength="4"`,
        texts.securityCodeHint,
      )}
    </div>
    ${asksName(view) && field('name', html`autocomplete="cc-name" dir="auto" maxlength="200" value="${name}"`)}
    <button class="main" data-paying="${texts.paying}">
      <span>${say(texts.pay, { amount: amountOf(view) })}</span>
    </button>
    <p class="note">${LOCK}<span>${texts.secure}</span></p>
    ${link.store && html`<p class="note"><span>${say(texts.stored, { merchant })}</span></p>`}
  </form>`;
}

/** Who pays is asked where the link does not say. */
export const asksName = ({ link }: Pick<View, 'link'>): boolean => link.buyer === null;

const FIELDS = ['number', 'expiry', 'security_code', 'name'] as const satisfies readonly FieldName[];
const LABELS = { number: 'number', expiry: 'expiry', security_code: 'securityCode', name: 'name' } as const;
const ERRORS = {
  number: 'numberError',
  expiry: 'expiryError',
  security_code: 'securityCodeError',
  name: 'nameError',
} as const;

type Field = {
  readonly name: FieldName;
  readonly label: string;
  readonly error: string;
  readonly attributes: Markup;
  readonly hint: string | undefined;
};

function fieldOf(
  { name, label, error, attributes, hint }: Field,
  { isWrong, isFocused }: { readonly isWrong: boolean; readonly isFocused: boolean },
): Markup {
  const described = [...(hint === undefined ? [] : [`${name}-hint`]), `${name}-error`].join(' ');
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <div class="box">
      <input
        id="${name}"
        name="${name}"
        required
        aria-invalid="${String(isWrong)}"
        aria-describedby="${described}"
        data-error="${error}"
        ${attributes}${isFocused && html` autofocus`}
      />
      ${name === 'number' && html`<span class="scheme" aria-hidden="true"></span>`}
    </div>
    <p class="error" id="${name}-error">${isWrong && error}</p>
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
  </div>`;
}

const LOCK = html`<svg
  width="16"
  height="16"
  viewBox="0 0 16 16"
  fill="none"
  stroke="currentColor"
  stroke-width="1.5"
  aria-hidden="true"
>
  <rect x="3" y="7" width="10" height="7" rx="1.5" />
  <path d="M5 7V5a3 3 0 0 1 6 0v2" />
</svg>`;
