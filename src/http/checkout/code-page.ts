import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { findPaymentLinks } from '../../modules/payment-links/index.ts';
import { redirectStepOf, type Redirected } from '../../modules/transactions/index.ts';
import { html, type Markup } from '../pages/html.ts';
import { formatAmount, sendPage, type Page } from '../pages/page.ts';
import { returnAddress } from '../pages/return-address.ts';
import { copyButton, withInstruction } from './instruction.ts';
import { brandOf } from './look/color.ts';
import { chooseLanguage, type Language } from './look/language.ts';
import { viewFor } from './look/link-view.ts';
import { momentOf } from './look/moment.ts';
import { qrCode } from './look/qr-code.ts';
import { brandStyle, STYLE } from './look/style.ts';
import { linksLine, merchantLine, pageOf, webAddressOf, type View } from './look/view.ts';
import { factList, linkFacts, unknownPage, type Fact } from './outcome-page.ts';

/**
 * Serves `/code/<token>`, which shows a code with which the buyer pays in an app. The page of a link's payment has the look and the
 * language of the link. The page asks how the payment stands. Without scripts, the page reloads itself.
 *
 * After the end of the wait, the buyer returns to the payment's `redirectUrl`. An unknown token is 404.
 */
export function serveCode(server: FastifyInstance, app: App): void {
  server.get<{ Params: { token: string } }>('/code/:token', async (request, reply) => {
    const language = chooseLanguage(null, request.headers['accept-language']);
    const found = await redirectStepOf(app, request.params.token);
    const { approval, step } = found ?? {};
    if (approval && step && 'qrCode' in step) {
      const view = await viewOf(app, request, approval);
      return sendPage(reply, view ? pageOfLink(view, approval, step) : plainPage(language, approval, step));
    }
    // A payment by a redirect has an address to return to.
    const address = approval ? returnAddress(approval.transaction) : null;
    return address === null ? sendPage(reply, unknownPage(language)) : reply.redirect(address, 303);
  });
}

type Approval = Redirected['approval'];
type ShownCode = Extract<Redirected['step'], { readonly qrCode: string }>;

/**
 * Returns the data of the link that a payment is of. Reads the look of the link alone, because the page asks every few seconds. Null
 * for another payment, and for a link that is gone.
 */
async function viewOf(
  app: App,
  request: FastifyRequest,
  { merchantAccountId, merchantName: merchant, transaction: { paymentLinkId } }: Approval,
): Promise<View | null> {
  if (paymentLinkId === null) return null;
  const [link] = await findPaymentLinks(app, { merchantAccountId }, [paymentLinkId], 'look');
  return link ? viewFor(app, request, { link, merchant }) : null;
}

const RELOADS = html`<noscript><meta http-equiv="refresh" content="5" /></noscript>`;

const pageOfLink = (view: View, approval: Approval, code: ShownCode): Page => {
  const { language } = view;
  const facts = linkFacts(view, approval.transaction);
  return withInstruction(
    pageOf(view, {
      title: language.texts.codeTitle,
      head: RELOADS,
      hasPictures: false,
      body: html`<div class="around">
        ${merchantLine(view)} ${panel(language, approval, code, facts)} ${linksLine(view)}
      </div>`,
    }),
  );
};

/** The page of a payment without a link. */
const plainPage = (language: Language, approval: Approval, code: ShownCode): Page => {
  const { texts } = language;
  const { merchantName: merchant, transaction } = approval;
  const facts = [[texts.paymentId, html`<bdi>${transaction.id}</bdi>`] as const];
  return withInstruction({
    title: `${texts.codeTitle} – ${merchant}`,
    language,
    styles: [STYLE, brandStyle(brandOf(null))],
    head: RELOADS,
    body: html`<div class="around">
      <p class="merchant"><bdi>${merchant}</bdi></p>
      ${panel(language, approval, code, facts)}
    </div>`,
  });
};

function panel(
  language: Language,
  { transaction, expiresAt }: Approval,
  { qrCode: code, appUrl }: ShownCode,
  facts: readonly Fact[],
): Markup {
  const { texts, tag } = language;
  const { amount, giftCardAmount, currency } = transaction;
  const app = webAddressOf(appUrl ?? null);
  return html`<section class="panel outcome" data-state="code">
    <h1>${texts.codeTitle}</h1>
    <p class="amount"><bdi>${formatAmount(amount - giftCardAmount, currency, tag)}</bdi></p>
    ${qrCode(code, texts.codeTitle)}
    <p role="status">${texts.codeText}</p>
    ${app !== null && html`<a class="button main" href="${app}">${texts.codeOpen}</a>`}
    ${copyButton(code, texts.codeCopy, texts)}
    ${factList([[texts.validUntil, momentOf(expiresAt, language)], ...facts])}
    <a class="button" href="">${texts.checkNow}</a>
    <button type="button" data-print hidden>${texts.print}</button>
  </section>`;
}
