import type { PaymentLink } from '../../modules/payment-links/index.ts';
import { html, type Markup } from '../pages/html.ts';
import { formatAmount, type Page } from '../pages/page.ts';
import { brandOf } from './color.ts';
import { fill, type Language } from './language.ts';
import { SCRIPT } from './script.ts';
import { brandStyle, STYLE } from './style.ts';

/** The data of every page about a link. */
export type View = {
  readonly link: PaymentLink;
  /** As the link says, else as the merchant account is called. */
  readonly merchant: string;
  readonly language: Language;
  /** No money moves. */
  readonly sandbox: boolean;
};

/** A page with the look of a link's merchant. */
export function pageOf(
  { link, merchant, language }: View,
  { body, title, status = 200, head }: Pick<Page, 'body' | 'title' | 'status' | 'head'>,
): Page {
  const icon = ownAddress(link.merchantFaviconUrl);
  const images = [link.merchantBannerUrl, link.merchantFaviconUrl, ...itemImages(link)];
  return {
    title: `${title} – ${merchant}`,
    body,
    status,
    language,
    styles: [STYLE, brandStyle(brandOf(link.merchantColor))],
    script: SCRIPT,
    head: html`${icon !== null && html`<link rel="icon" href="${icon}" />`} ${head}`,
    imageOrigins: [...new Set(images.flatMap((image) => originOf(image) ?? []))],
  };
}

/** The number of cart lines shown. The rest is only counted. */
export const ITEMS_MAX = 12;

/** A list is only as long as what is shown, and so is the policy. */
const itemImages = ({ cartItems }: PaymentLink): readonly (string | null)[] =>
  (cartItems ?? []).slice(0, ITEMS_MAX).map(({ imageUrl }) => imageUrl);

/** Letters, digits, dots and a port: a host may hold signs that would end a policy's source. */
const ORIGIN = /^https?:\/\/[a-z0-9.-]+(?::\d+)?$/;

/** Returns the origin of an address as a policy can name it. Null for any other address, whose image is not shown. */
export function originOf(address: string | null): string | null {
  const url = webAddressOf(address) === null ? null : URL.parse(address ?? '');
  return url && ORIGIN.test(url.origin) ? url.origin : null;
}

/** The address of an image that the policy lets be shown. */
export const ownAddress = (address: string | null): string | null =>
  originOf(address) === null ? null : address;

/** Returns a web address that a link may lead to, and null for any other scheme. */
export const webAddressOf = (address: string | null): string | null =>
  address !== null && /^https?:$/.test(URL.parse(address)?.protocol ?? '') ? address : null;

export const amountOf = ({ link, language }: View, amount = link.amount): string =>
  formatAmount(amount, link.currency, language.tag);

/** A text with `{places}` filled in, each kept from the writing direction of what surrounds it. */
export function say(text: string, values: Readonly<Record<string, string>>): Markup {
  const parts = text.split(/\{(\w+)\}/);
  return html`${parts.map((part, at) => (at % 2 === 0 ? part : html`<bdi>${values[part] ?? ''}</bdi>`))}`;
}

/** The first sign of the merchant's name, in its colour. */
export const mark = ({ merchant }: View): Markup =>
  html`<span class="mark" aria-hidden="true">${firstSign(merchant)}</span>`;

/** Renders the line with the merchant's name. */
export const merchantLine = (view: View): Markup =>
  html`<p class="merchant">
    ${mark(view)}<span><bdi>${view.merchant}</bdi></span>
  </p>`;

const firstSign = (text: string): string => {
  const [first] = new Intl.Segmenter().segment(text.trim());
  return first?.segment.toUpperCase() ?? '';
};

/** The foot of a page: where the merchant's terms are. */
export const linksLine = ({ link, merchant, language }: View): Markup => {
  const [terms, home] = [webAddressOf(link.merchantTermsAndConditionsUrl), webAddressOf(link.merchantUrl)];
  return html`${
    (terms !== null || home !== null) &&
    html`<p class="links">
      ${terms !== null && html`<a href="${terms}">${language.texts.terms}</a>`}
      ${home !== null && html`<a href="${home}"><bdi>${merchant}</bdi></a>`}
    </p>`
  }`;
};

/** A title of the page in the language of the buyer. */
export const titleOf = ({ merchant, language }: View): string => fill(language.texts.title, { merchant });
