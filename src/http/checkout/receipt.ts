import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { holdsCardNumber } from '../../kernel/account-numbers/card-number.ts';
import { paymentOf, requestReceipt, type UpToDate } from '../../modules/payment-links/index.ts';
import { findRedemptionsOf, type Redemption, type Transaction } from '../../modules/transactions/index.ts';
import { html, type Markup } from '../pages/html.ts';
import { sendPage } from '../pages/page.ts';
import type { AttemptLimit } from './attempt-limit.ts';
import { formKeyOf, isFromPage, setPageCookie } from './csrf-token.ts';
import { fieldOf } from './methods/field.ts';
import { fill } from './look/language.ts';
import { completedPage } from './outcome-page.ts';
import { RECEIPT_STYLE } from './look/style.ts';
import { say, type View } from './look/view.ts';

/** The method name in the form that asks for a receipt. */
const RECEIPT = 'receipt';

/** A visit of the page of a link. `receiptLimit` counts the refused addresses alone. */
type Visit = {
  readonly app: App;
  readonly receiptLimit: AttemptLimit;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly token: string;
  readonly found: UpToDate;
  readonly view: View;
};

/** The result of a refused request for a receipt. */
type Refused = { readonly status: number; readonly fault: string; readonly address: string };

/** Tells whether a form asks for a receipt. */
export const isReceiptForm = (body: unknown): boolean =>
  body instanceof URLSearchParams && body.get('method') === RECEIPT;

/** Shows the page of a paid link, with the form for a receipt if the link offers one. */
export async function showCompleted(visit: Visit, refused: Refused | null = null): Promise<FastifyReply> {
  const { app, request, reply, token, found, view } = visit;
  const { link } = found;
  const payment = paymentOf(found.transactions);
  const redemptions = await redemptionsOf(app, payment);
  const page = completedPage(view, { payment, redemptions }, await receiptPart());
  const styles = [...(page.styles ?? []), ...(link.offersReceipt ? [RECEIPT_STYLE] : [])];
  return sendPage(reply, { ...page, styles, ...(refused && { status: refused.status }) });

  async function receiptPart(): Promise<Markup | false> {
    if (!link.offersReceipt) return false;
    if (link.receiptRequestedAt !== null) return askedNote(view);
    const known = setPageCookie(app, request, reply, link, token);
    return receiptForm(view, await formKeyOf(app, link, known, SHOWN), refused);
  }
}

/** Returns the redemptions of gift cards that paid. */
async function redemptionsOf(app: App, payment: Transaction | null): Promise<readonly Redemption[]> {
  if (payment === null || payment.giftCardAmount === 0) return [];
  const [redemptions = []] = await findRedemptionsOf(app, payment, [payment.id]);
  return redemptions.filter(({ status }) => status === 'succeeded');
}

/**
 * Asks the merchant for a receipt. Leads back to the page, which shows the state of the link. A refused address, a form
 * of another browser, or too many attempts show the form again.
 *
 * `back`: the address of the page.
 */
export async function askReceipt(visit: Visit, back: string): Promise<FastifyReply> {
  const { app, receiptLimit, request, reply, found, view } = visit;
  const { link } = found;
  const { texts, tag } = view.language;
  if (!link.offersReceipt || link.status !== 'completed' || link.receiptRequestedAt !== null)
    return reply.redirect(back, 303);
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
  const given = form.get('email')?.trim() ?? '';
  const address = holdsCardNumber(given) ? '' : given.slice(0, 254);
  if (!(await isFromPage(app, request, link, { formKey: form.get('form_key'), ...SHOWN })))
    return showCompleted(visit, { status: 403, fault: texts.receiptStale, address });
  const attempt = { linkId: link.id, address: request.ip };
  const waitSeconds = receiptLimit.wait(attempt);
  if (waitSeconds !== null) {
    void reply.header('retry-after', String(waitSeconds));
    const minutes = new Intl.NumberFormat(tag).format(Math.ceil(waitSeconds / 60));
    return showCompleted(visit, { status: 429, fault: fill(texts.receiptWait, { minutes }), address });
  }
  const requested = await requestReceipt(app, found, given);
  if (requested.ok || requested.refusals.every(({ kind }) => kind !== 'InvalidInput'))
    return reply.redirect(back, 303);
  receiptLimit.count(attempt);
  return showCompleted(visit, { status: 422, fault: texts.receiptError, address });
}

/** The page of a paid link has neither gift cards nor a mandate. */
const SHOWN = { sealedCards: '', mandate: '' };

/** The field is empty at first: anybody with the address of the page can open the page. */
function receiptForm(
  { merchant, language: { texts } }: View,
  formKey: string,
  refused: Refused | null,
): Markup {
  return html`<form class="receipt" method="post" novalidate>
    <input type="hidden" name="form_key" value="${formKey}" />
    <input type="hidden" name="method" value="${RECEIPT}" />
    ${fieldOf({
      ...{ name: 'email', label: texts.receiptEmail, error: texts.receiptError },
      fault: refused?.fault,
      hint: fill(texts.receiptHint, { merchant }),
      attributes: html`type="email" autocomplete="email" maxlength="254" dir="ltr"
      value="${refused?.address ?? ''}"`,
      ...{ isWrong: refused !== null, isFocused: refused !== null },
    })}
    <button>${texts.receiptSend}</button>
  </form>`;
}

/** Confirms the request without the address, which other visitors must not see. */
const askedNote = ({ merchant, language: { texts } }: View): Markup =>
  html`<p role="status">${say(texts.receiptAsked, { merchant })}</p>`;
