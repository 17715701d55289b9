import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { html, Markup } from './html.ts';
import { STYLE } from './style.ts';

/** A page for people: server-rendered, without a script. */
export type Page = {
  readonly title: string;
  readonly body: Markup;
  readonly status?: number;
  /** Origins that the page's form may lead to, beside our own: a browser holds a form to them through redirects, too. */
  readonly formTargets?: readonly string[];
};

/** Sends a page. Its policy allows our one style and forms, and nothing else: no script, no frame, nothing from elsewhere. */
export const sendPage = (
  reply: FastifyReply,
  { title, body, status = 200, formTargets = [] }: Page,
): FastifyReply =>
  reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy(formTargets))
    .send(documentOf(title, body).text);

const documentOf = (title: string, body: Markup): Markup =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html>`;

const policy = (formTargets: readonly string[]): string =>
  [
    "default-src 'none'",
    `style-src '${STYLE_HASH}'`,
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const STYLE_ELEMENT = new Markup(`<style>${STYLE}</style>`);

const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;

/** An amount of minor units as people read it, for example `€12.99`. */
export function formatAmount(amount: number, currency: string, locale = 'en'): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
