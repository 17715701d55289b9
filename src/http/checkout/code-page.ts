import type { FastifyInstance } from 'fastify';
import type { App } from '../../app.ts';
import { redirectStepOf, type Redirected } from '../../modules/transactions/index.ts';
import { html, type Markup } from '../pages/html.ts';
import { formatAmount, sendPage, type Page } from '../pages/page.ts';
import { returnAddress } from '../pages/return-address.ts';
import { brandOf } from './look/color.ts';
import { chooseLanguage, type Language } from './look/language.ts';
import { momentOf } from './look/moment.ts';
import { qrCode } from './look/qr-code.ts';
import { SCRIPT_WITH_COPY } from './look/script.ts';
import { brandStyle, INSTRUCTION_STYLE, STYLE } from './look/style.ts';
import { webAddressOf } from './look/view.ts';
import { factList, unknownPage } from './outcome-page.ts';
import { copyButton } from './voucher-page.ts';

/**
 * Serves `/code/<token>`, which shows a code with which the buyer pays in an app. The page asks how the payment stands. Without
 * scripts, the page reloads itself.
 *
 * After the end of the wait, the buyer returns to the payment's `redirectUrl`. An unknown token is 404.
 */
export function serveCode(server: FastifyInstance, app: App): void {
  server.get<{ Params: { token: string } }>('/code/:token', async (request, reply) => {
    const language = chooseLanguage(null, request.headers['accept-language']);
    const found = await redirectStepOf(app, request.params.token);
    const { approval, step } = found ?? {};
    if (approval && step && 'qrCode' in step) return sendPage(reply, codePage(language, approval, step));
    // A payment by a redirect has an address to return to.
    const address = approval ? returnAddress(approval.transaction) : null;
    return address === null ? sendPage(reply, unknownPage(language)) : reply.redirect(address, 303);
  });
}

type Approval = Redirected['approval'];
type ShownCode = Extract<Redirected['step'], { readonly qrCode: string }>;

const codePage = (
  language: Language,
  { transaction, merchantName, expiresAt }: Approval,
  { qrCode: code, appUrl }: ShownCode,
): Page => {
  const { texts, tag } = language;
  const { id, amount, giftCardAmount, currency } = transaction;
  const app = webAddressOf(appUrl ?? null);
  return pageOf(language, merchantName, {
    title: texts.codeTitle,
    head: html`<noscript><meta http-equiv="refresh" content="5" /></noscript>`,
    panel: html`<section class="panel outcome" data-state="code">
      <h1>${texts.codeTitle}</h1>
      <p class="amount"><bdi>${formatAmount(amount - giftCardAmount, currency, tag)}</bdi></p>
      ${qrCode(code, texts.codeTitle)}
      <p role="status">${texts.codeText}</p>
      ${app !== null && html`<a class="button main" href="${app}">${texts.codeOpen}</a>`}
      ${copyButton(code, texts.codeCopy, texts)}
      ${factList([
        [texts.validUntil, momentOf(expiresAt, language)],
        [texts.paymentId, html`<bdi>${id}</bdi>`],
      ])}
      <a class="button" href="">${texts.checkNow}</a>
      <button type="button" data-print hidden>${texts.print}</button>
    </section>`,
  });
};

type Parts = Pick<Page, 'title' | 'head'> & { readonly panel: Markup };

const pageOf = (language: Language, merchant: string, { title, head, panel }: Parts): Page => ({
  title: `${title} – ${merchant}`,
  language,
  styles: [STYLE, INSTRUCTION_STYLE, brandStyle(brandOf(null))],
  script: SCRIPT_WITH_COPY,
  ...(head && { head }),
  body: html`<div class="around">
    <p class="merchant"><bdi>${merchant}</bdi></p>
    ${panel}
  </div>`,
});
