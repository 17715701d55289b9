import type { PaymentLink } from '../../../modules/payment-links/index.ts';
import { html, type Markup } from '../../pages/html.ts';
import { formatAmount, type Page } from '../../pages/page.ts';
import { brandOf } from './color.ts';
import { fill, type Language } from './language.ts';
import { SCRIPT, SCRIPT_WITH_WALLETS } from './script.ts';
import { brandStyle, STYLE } from './style.ts';

/** The data of every page about a link. */
export type View = {
  readonly link: PaymentLink;
  /** The name from the link, or else from the merchant account. */
  readonly merchant: string;
  readonly language: Language;
  /** True if no real money moves. */
  readonly sandbox: boolean;
  /** Names a method for the buyer. */
  readonly nameOf: (method: string) => string;
};

/**
 * The parts of a page that differ. A page with `paymentMethods` has the script for wallets too. A page without pictures shows neither
 * the banner nor the cart.
 */
type PagePart = Pick<Page, 'body' | 'title' | 'status' | 'head' | 'paymentMethods'> & {
  readonly hasPictures?: boolean;
};

/** A page with the look of a link's merchant. */
export function pageOf(
  { link, merchant, language }: View,
  { body, title, status = 200, head, paymentMethods, hasPictures = true }: PagePart,
): Page {
  const icon = ownAddress(link.merchantFaviconUrl);
  const pictures = hasPictures ? [link.merchantBannerUrl, ...itemImages(link)] : [];
  const images = [link.merchantFaviconUrl, ...pictures];
  return {
    title: `${title} – ${merchant}`,
    body,
    status,
    language,
    styles: [STYLE, brandStyle(brandOf(link.merchantColor))],
    script: paymentMethods ? SCRIPT_WITH_WALLETS : SCRIPT,
    ...(paymentMethods && { paymentMethods }),
    head: html`${icon !== null && html`<link rel="icon" href="${icon}" />`} ${head}`,
    imageOrigins: [...new Set(images.flatMap((image) => originOf(image) ?? []))],
  };
}

/** The number of cart lines shown. The rest is only counted. */
export const ITEMS_MAX = 12;

/** Limits the list of images, and with it the policy, to the shown lines. */
const itemImages = ({ cartItems }: PaymentLink): readonly (string | null)[] =>
  (cartItems ?? []).slice(0, ITEMS_MAX).map(({ imageUrl }) => imageUrl);

/** Letters, digits, dots and a port. Other characters of a host could end a source of the policy. */
const ORIGIN = /^https?:\/\/[a-z0-9.-]+(?::\d+)?$/;

/** Returns the origin of an address as a policy can name it. Null for any other address, whose image is not shown. */
export function originOf(address: string | null): string | null {
  const url = webAddressOf(address) === null ? null : URL.parse(address ?? '');
  return url && ORIGIN.test(url.origin) ? url.origin : null;
}

/** Returns the address of an image if the policy can allow it. */
export const ownAddress = (address: string | null): string | null =>
  originOf(address) === null ? null : address;

/** Returns a web address that a link may lead to, and null for any other scheme. */
export const webAddressOf = (address: string | null): string | null =>
  address !== null && /^https?:$/.test(URL.parse(address)?.protocol ?? '') ? address : null;

export const amountOf = ({ link, language }: View, amount = link.amount): string =>
  formatAmount(amount, link.currency, language.tag);

/** Fills in the `{places}` of a text. Each value keeps its own writing direction. */
export function say(text: string, values: Readonly<Record<string, string>>): Markup {
  const parts = text.split(/\{(\w+)\}/);
  return html`${parts.map((part, at) => (at % 2 === 0 ? part : html`<bdi>${values[part] ?? ''}</bdi>`))}`;
}

/** Fills in the only place of a text with markup. */
export function place(text: string, markup: Markup): Markup {
  const [before = '', after = ''] = text.split(/\{\w+\}/);
  return html`${before}${markup}${after}`;
}

/** Renders the first character of the merchant's name, in the merchant's colour. */
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

/** Renders the foot of a page with links to the merchant's terms. */
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

/** Returns the title of the page in the buyer's language. */
export const titleOf = ({ merchant, language }: View): string => fill(language.texts.title, { merchant });
