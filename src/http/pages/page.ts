import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import { decimalsOf } from '../../kernel/currency.ts';
import { html, Markup } from './html.ts';
import { STYLE } from './style.ts';

/** A page for people: server-rendered, and of use without a script. */
export type Page = {
  readonly title: string;
  readonly body: Markup;
  /** Markup in front of the main part, such as a navigation. */
  readonly before?: Markup;
  readonly status?: number;
  /** Origins that the page's form may lead to, beside the page's own. A browser applies them to redirects too. */
  readonly formTargets?: readonly string[];
  /** True if the forms lead to `formTargets` alone, and not to the page's own origin. */
  readonly leadsAway?: boolean;
  /** A BCP 47 language and its writing direction. English by default. */
  readonly language?: { readonly tag: string; readonly direction: 'ltr' | 'rtl' };
  /** Markup for the end of the head. */
  readonly head?: Markup;
  /** Own style sheets. The look of all pages by default. */
  readonly styles?: readonly string[];
  /** A script of our own, which may ask our own origin. */
  readonly script?: string;
  /** Addresses of payment methods that the script asks for by the Payment Request API. With a list, the page may ask for payments. */
  readonly paymentMethods?: readonly string[];
  /** Origins of images. */
  readonly imageOrigins?: readonly string[];
};

/**
 * Sends a page. Its policy allows only the page's styles and script by their hashes, own forms and images of the named
 * origins. Frames and all other foreign content are forbidden.
 */
export const sendPage = (reply: FastifyReply, page: Page): FastifyReply =>
  (page.paymentMethods ? reply.header('permissions-policy', 'payment=(self)') : reply)
    .code(page.status ?? 200)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policyOf(page))
    .send(documentOf(page).text);

const documentOf = ({
  title,
  body,
  before,
  language = ENGLISH,
  head,
  styles = [STYLE],
  script,
}: Page): Markup =>
  html`<!doctype html>
    <html lang="${language.tag}" dir="${language.direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${styles.map((style) => new Markup(`<style>${style}</style>`))} ${head}
      </head>
      <body>
        ${before}
        <main>${body}</main>
        ${script !== undefined && new Markup(`<script>${script}</script>`)}
      </body>
    </html>`;

const ENGLISH = { tag: 'en', direction: 'ltr' } as const;

const policyOf = ({
  formTargets = [],
  leadsAway = false,
  styles = [STYLE],
  script,
  paymentMethods = [],
  imageOrigins = [],
}: Page): string =>
  [
    "default-src 'none'",
    `style-src ${styles.map(sourceOf).join(' ')}`,
    ...(script === undefined
      ? []
      : [
          `script-src ${sourceOf(script)}`,
          `connect-src ${["'self'", ...paymentMethods].join(' ')}`,
          "require-trusted-types-for 'script'",
        ]),
    ...(imageOrigins.length > 0 ? [`img-src ${imageOrigins.join(' ')}`] : []),
    `form-action ${[...(leadsAway ? [] : ["'self'"]), ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** An inline style or script as a policy names it. */
export function sourceOf(text: string): string {
  const known = sources.get(text);
  if (known !== undefined) return known;
  const source = `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  sources.set(text, source);
  return source;
}

/** There are few styles and scripts, but as many colours as merchants have. */
const sources = new LRUCache<string, string>({ max: 1000 });

/** A moment as people read it, for example `Nov 22, 2026, 3:04 AM UTC`. */
export const formatMoment = (moment: Date): string => `${MOMENT.format(moment)} UTC`;

const MOMENT = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

const DECIMALS_OF_MOST = 2;

/** An amount of minor units as people read it, for example `€12.99`. */
export function formatAmount(amount: number, currency: string, locale = 'en'): string {
  const decimals = decimalsOf(currency) ?? DECIMALS_OF_MOST;
  // The language's own number of decimals is that of cash, which differs for some currencies.
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const text = new Intl.NumberFormat(locale, { style: 'currency', currency, ...digits }).format(
    amount / 10 ** decimals,
  );
  return text.replace('-', MINUS);
}

/** The minus sign. A hyphen is shorter than a plus, and a line may break behind it. */
const MINUS = '\u2212';
