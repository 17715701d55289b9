import { factsOf, type BuyerFacts } from './browser.ts';
import { actingAsBuyer } from '../buyer.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import {
  bringUpToDate,
  findByToken,
  findLinkMethods,
  payLink,
  type Paid,
  type PayRefusal,
  type UpToDate,
} from '../../modules/payment-links/index.ts';
import { requireHere } from '../../platform/moves/known-moves.ts';
import type { Transaction } from '../../modules/transactions/index.ts';
import { sendPage } from '../pages/page.ts';
import { BODY_BYTES_MAX } from '../answers/replies.ts';
import { answerSession, createSessionLimit, isSessionForm } from './methods/apple-pay-session.ts';
import { createAttemptLimit, type AttemptLimit } from './attempt-limit.ts';
import { formKeyOf, isFromPage, pathOf, setPageCookie, pageCookieOf } from './csrf-token.ts';
import { debitPage, isStartedDebit } from './bank/debit-page.ts';
import { askedMandate, type AskedMandate } from './bank/mandate.ts';
import type { Evidence } from './bank/submission.ts';
import { asksName } from './methods/card-form.ts';
import { declineOf } from './decline.ts';
import { formPage } from './form-page.ts';
import type { Form } from './form.ts';
import { readGiftCards, writeGiftCards, type GiftCards } from './methods/gift-card-cookie.ts';
import { stepGiftCards, withoutFailed } from './methods/gift-card-steps.ts';
import { forgetValues, keepValues, readKeptValues } from './kept-values.ts';
import { chooseLanguage } from './look/language.ts';
import { viewOfLink } from './look/link-view.ts';
import { expiredPage, processingPage, tooManyPage, unknownPage } from './outcome-page.ts';
import { askReceipt, isReceiptForm, showCompleted } from './receipt.ts';
import {
  isStoredRefused,
  readForm,
  wrongFields,
  type SubmittedForm,
  type GiftCardStep,
} from './submission.ts';
import { isVoucher, voucherPage } from './voucher-page.ts';
import type { View } from './look/view.ts';

/** One request for the page of a link. */
type Visit = {
  readonly app: App;
  readonly limit: AttemptLimit;
  readonly receiptLimit: AttemptLimit;
  readonly sessionLimit: AttemptLimit;
  readonly request: FastifyRequest;
  readonly query: Route['Querystring'];
  readonly reply: FastifyReply;
  readonly token: string;
  readonly found: UpToDate;
  readonly view: View;
  /** The gift cards of this browser. */
  readonly giftCards: GiftCards;
};

type Route = { Params: { token: string }; Querystring: Readonly<Record<string, unknown>> };

/**
 * Serves `/pay/<token>`, the page of a payment link. Works without scripts.
 *
 * - GET shows the form or the state of the link. The status is 200, 410 for an expired link, and 404 for an
 *   unknown link.
 * - POST pays the link, adds or removes a gift card, or asks for a receipt. The answer redirects with 303 to the
 *   approval page or back to GET, so that a reload pays nothing.
 * - POST with wrong values answers 422 with the form.
 * - POST from another browser, or with other gift cards, answers 403.
 * - POST after too many failures answers 429.
 * - POST of the page's script with Apple's address answers a session of Apple Pay.
 * - `/pay/back/<link id>` returns buyers to the page after an approval elsewhere.
 */
export function servePaymentPage(server: FastifyInstance, given: App): void {
  const limits = {
    limit: createAttemptLimit(given.clock),
    receiptLimit: createAttemptLimit(given.clock),
    sessionLimit: createSessionLimit(given),
  };
  const visit = async (
    request: FastifyRequest<Route>,
    reply: FastifyReply,
    go: (visit: Visit) => Promise<FastifyReply>,
  ): Promise<FastifyReply> => {
    const { token } = request.params;
    const app = actingAsBuyer(given, request);
    void reply.header('cross-origin-opener-policy', 'same-origin');
    const link = await findByToken(app, token);
    if (!link) return notFound(request, reply);
    await requireHere(app, link.merchantAccountId);
    const found = await bringUpToDate(app, link);
    // For the page's script, which tells the buyer's wallet how the payment went.
    void reply.header('x-payment-link-status', found.link.status);
    const [view, giftCards] = await Promise.all([
      viewOfLink(app, request, found.link),
      readGiftCards(app, request, found.link),
    ]);
    return go({ app, ...limits, request, query: request.query, reply, token, found, view, giftCards });
  };
  void server.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: BODY_BYTES_MAX },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );
    scope.get<Route>('/pay/:token', (request, reply) => visit(request, reply, show));
    scope.post<Route>('/pay/:token', (request, reply) => visit(request, reply, pay));
    scope.get<{ Params: { id: string }; Querystring: Route['Querystring'] }>(
      '/pay/back/:id',
      async (request, reply) => {
        const { id } = request.params;
        const token = /^[\w-]{36}$/.test(id) ? pageCookieOf(request, id)?.token : undefined;
        if (token === undefined) return notFound(request, reply);
        return reply.redirect(addressOf(given, token, asText(request.query['transaction_id'])), 303);
      },
    );
  });
}

const notFound = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  sendPage(reply, unknownPage(chooseLanguage(null, request.headers['accept-language'])));

async function show(visit: Visit): Promise<FastifyReply> {
  const { app, query, reply, found, view } = visit;
  const requested = asText(query['transaction_id']);
  const about = found.transactions.find(({ id }) => id === requested) ?? lateDecline(found);
  switch (found.link.status) {
    case 'active':
      return about ? showAfter(visit, about) : showForm(visit, {});
    case 'processing': {
      const [latest = null] = found.transactions;
      if (isStartedDebit(latest)) return sendPage(reply, debitPage(view, latest));
      const goesOn = query['go'] === 'on' && !isOurs(app, latest?.approvalUrl ?? null);
      if (isVoucher(latest) && !goesOn) return sendPage(reply, voucherPage(view, latest));
      return sendPage(reply, processingPage(view, latest, goesOn));
    }
    case 'completed':
      await forgetGiftCards(visit);
      forgetValues(app, visit.request, reply, found.link);
      return showCompleted(visit);
    case 'expired':
      return sendPage(reply, expiredPage(view));
  }
}

/** Returns the bank debit that ended the last try. Its buyer comes back to the page days later, by the address alone. */
const lateDecline = ({ transactions: [latest] }: UpToDate): Transaction | undefined =>
  latest?.bank && latest.status === 'authorization_declined' ? latest : undefined;

/** Shows the form after a try, with the result of that try. */
async function showAfter(visit: Visit, payment: Transaction): Promise<FastifyReply> {
  const { app, request, found } = visit;
  const [giftCards, kept] = await Promise.all([
    withoutFailed({ ...visit, link: found.link }, payment),
    readKeptValues(app, request, found.link),
  ]);
  const values = kept && { values: kept };
  if (giftCards) return showForm({ ...visit, giftCards }, { ...values, warning: 'giftCardFailed' });
  if (payment.status === 'authorization_declined')
    return showForm(visit, { ...values, warning: declineOf(payment) });
  return showForm(visit, {
    ...values,
    ...(payment.status === 'authorization_failed' && { warning: 'notApproved' }),
  });
}

async function showForm(
  visit: Visit,
  form: Omit<Form, 'methods' | 'giftCards' | 'formKey' | 'debit'>,
): Promise<FastifyReply> {
  const { app, request, reply, token, found, view, giftCards } = visit;
  const known = setPageCookie(app, request, reply, found.link, token);
  const asked = askedMandate(view, giftCards.left);
  const { sealedCards } = giftCards;
  const [methods, formKey, debitKey] = await Promise.all([
    findLinkMethods(app, found.link, giftCards.left),
    formKeyOf(app, found.link, known, { sealedCards, mandate: '' }),
    formKeyOf(app, found.link, known, { sealedCards, mandate: asked?.text ?? '' }),
  ]);
  const debit = methods.bank && asked && { ...asked, formKey: debitKey };
  // The form may lead to Paygraph's own approval page. The buyer may have reached this page under another name.
  const formTargets = [new URL(app.publicUrl).origin];
  return sendPage(reply, { ...formPage(view, { ...form, methods, giftCards, formKey, debit }), formTargets });
}

async function pay(visit: Visit): Promise<FastifyReply> {
  const { app, limit, request, reply, token, found, view, giftCards } = visit;
  const { link } = found;
  if (isSessionForm(request.body)) return answerSession(visit, request.body);
  if (isReceiptForm(request.body)) return askReceipt(visit, addressOf(app, token));
  if (link.status !== 'active') return reply.redirect(addressOf(app, token), 303);
  const mandate = askedMandate(view, giftCards.left);
  const filled = readForm(request.body, { asksName: asksName(view), giftCards, mandate });
  const { formKey, values, giftCardStep } = filled;
  const { sealedCards } = giftCards;
  const shown = { sealedCards, mandate: (values.bank && mandate?.text) ?? '' };
  if (!(await isFromPage(app, request, link, { formKey, ...shown })))
    return showForm(visit, { status: 403, warning: 'stale', values });
  if (giftCardStep) return changeGiftCards(visit, giftCardStep);
  const attempt = { linkId: link.id, address: request.ip };
  const waitSeconds = limit.wait(attempt);
  if (waitSeconds !== null) return holdBack(visit, waitSeconds);
  const facts = factsOf(request, filled.browser);
  const submission = filled.submission({
    redirectUrl: `${app.publicUrl}/pay/back/${link.id}`,
    evidence: evidenceOf(app, facts),
  });
  const paid = await payLink(app, link, { ...submission, ...facts });
  if (!paid.ok) {
    if (isStoredRefused(paid.refusals)) limit.count(attempt);
    return showRefused(visit, filled, { refusals: paid.refusals, mandate });
  }
  if (paid.value.link.status === 'active') limit.count(attempt);
  if (paid.value.link.status !== 'completed') await keepValues(app, request, reply, { link, values });
  return reply.redirect(nextAddress(visit, paid.value), 303);
}

const evidenceOf = ({ clock, ids }: App, { ipAddress, browserInfo }: BuyerFacts): Evidence => ({
  // 20 characters of at most 35. A buyer may have to read them to a bank.
  reference: ids.random(10).toString('hex').toUpperCase(),
  now: clock.now(),
  ...{ ipAddress: ipAddress ?? null, userAgent: browserInfo?.userAgent ?? null },
});

function holdBack({ reply, view }: Visit, waitSeconds: number): FastifyReply {
  void reply.header('retry-after', String(waitSeconds));
  return sendPage(reply, tooManyPage(view, waitSeconds));
}

async function changeGiftCards(visit: Visit, step: GiftCardStep): Promise<FastifyReply> {
  const { app, reply, token, found } = visit;
  const stepped = await stepGiftCards({ ...visit, link: found.link }, step);
  switch (stepped.kind) {
    case 'done':
      return reply.redirect(addressOf(app, token), 303);
    case 'held':
      return holdBack(visit, stepped.waitSeconds);
    case 'wrong':
      return showForm(visit, { status: 422, giftCardFaults: stepped.faults });
  }
}

/** Deletes the browser's gift cards after the payment. */
async function forgetGiftCards({ app, reply, found, giftCards }: Visit): Promise<void> {
  if (giftCards.sealedCards !== '') await writeGiftCards(app, reply, found.link, { secret: '', cards: [] });
}

/**
 * Returns the next address of a buyer after a payment. Leads to Paygraph's own approval page at once. Leads to a
 * foreign approval page through an own page, because a browser applies the form's policy to redirects too.
 */
function nextAddress({ app, token }: Visit, { link, transaction }: Paid): string {
  const { approvalUrl, id } = transaction;
  if (link.status === 'processing' && approvalUrl !== null)
    return isOurs(app, approvalUrl) ? approvalUrl : `${addressOf(app, token)}?go=on`;
  return link.status === 'active' ? addressOf(app, token, id) : addressOf(app, token);
}

const isOurs = (app: App, address: string | null): boolean =>
  address !== null && URL.parse(address)?.origin === new URL(app.publicUrl).origin;

function showRefused(
  visit: Visit,
  { method, values, codeLength }: SubmittedForm,
  { refusals, mandate }: { readonly refusals: readonly PayRefusal[]; readonly mandate: AskedMandate | null },
): Promise<FastifyReply> | FastifyReply {
  // Somebody else paid first, perhaps this buyer in another tab. The page shows the state.
  if (refusals.some(({ kind }) => kind === 'PaymentLinkNotActive'))
    return visit.reply.redirect(addressOf(visit.app, visit.token), 303);
  if (isStoredRefused(refusals))
    return showForm(visit, { status: 422, warning: 'storedGone', values: { ...values, stored: '' } });
  const debit = values.bank && mandate;
  const wrong = method === 'card' || debit ? wrongFields(refusals, debit) : null;
  return wrong
    ? showForm(visit, { status: 422, warning: 'checkFields', wrong, values, codeLength })
    : showForm(visit, { status: 422, warning: 'refused', values });
}

/** Returns the path of a link's page. `transactionId`: the try that the page reports, ignored for another link. */
const addressOf = (app: App, token: string, transactionId = ''): string =>
  `${pathOf(app, '/pay')}/${token}${transactionId && `?transaction_id=${encodeURIComponent(transactionId)}`}`;

const asText = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 100) : '');
