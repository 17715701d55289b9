import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import {
  openApplePaySession,
  type LinkApplePaySession,
  type UpToDate,
} from '../../../modules/payment-links/index.ts';
import { refuseRequest } from '../../answers/error-body.ts';
import type { Refused } from '../../answers/replies.ts';
import { createAttemptLimit, type AttemptLimit } from '../attempt-limit.ts';
import { isFromPage } from '../csrf-token.ts';
import type { GiftCards } from './gift-card-cookie.ts';
import type { View } from '../look/view.ts';

/** A visit of the page of a link. `sessionLimit` counts every request for a session. */
type Visit = {
  readonly app: App;
  readonly sessionLimit: AttemptLimit;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly found: UpToDate;
  readonly view: View;
  readonly giftCards: GiftCards;
};

/** The name of the field with Apple's address. */
const VALIDATION_URL = 'validation_url';

/** Tells whether a form asks for a session of Apple Pay. */
export const isSessionForm = (body: unknown): body is URLSearchParams =>
  body instanceof URLSearchParams && body.has(VALIDATION_URL);

/** Creates the limit of sessions. A buyer may close and open the sheet some times, and each opening asks Apple. */
export const createSessionLimit = ({ clock }: Pick<App, 'clock'>): AttemptLimit =>
  createAttemptLimit(clock, { link: 30, address: 60, giftCard: 0 });

/**
 * Answers the script of the page with a session of Apple Pay, the JSON object that the browser expects. Any other answer is
 * an error:
 *
 * - 403 for a form of another browser.
 * - 409 for a link that is paid or expired.
 * - 422 for an address that is not Apple's, or a link without Apple Pay.
 * - 429 after too many sessions.
 * - 503 without a session from Apple.
 */
export async function answerSession(visit: Visit, form: URLSearchParams): Promise<FastifyReply> {
  const { app, sessionLimit, request, reply, found, view, giftCards } = visit;
  const { link } = found;
  const shown = { sealedCards: giftCards.sealedCards, mandate: '' };
  if (link.status !== 'active') return refuseRequest(request, reply, REFUSALS.inactive);
  if (!(await isFromPage(app, request, link, { formKey: form.get('form_key'), ...shown })))
    return refuseRequest(request, reply, REFUSALS.stale);
  const attempt = { linkId: link.id, address: request.ip };
  const waitSeconds = sessionLimit.wait(attempt);
  if (waitSeconds !== null) return refuseRequest(request, reply, tooMany(waitSeconds));
  sessionLimit.count(attempt);
  const validationUrl = form.get(VALIDATION_URL) ?? '';
  const asked = { validationUrl, displayName: view.merchant, left: giftCards.left };
  const opened = await openApplePaySession(app, link, asked);
  return opened.kind === 'opened'
    ? reply.type('application/json; charset=utf-8').send(opened.session)
    : refuseRequest(request, reply, REFUSALS[opened.kind]);
}

const UNAVAILABLE = {
  status: 503,
  code: 'PROVIDER_UNAVAILABLE',
  message: 'Apple opened no session, and nothing was paid. Try again, or pay in another way.',
} as const;

const REFUSALS = {
  foreign: {
    status: 422,
    code: 'INVALID_INPUT',
    message: 'validation_url must be the address of Apple that the browser gave.',
  },
  inactive: {
    status: 409,
    code: 'OPERATION_NOT_ALLOWED',
    message: 'The link can no longer be paid. Load the page again.',
  },
  not_offered: {
    status: 422,
    code: 'OPERATION_NOT_ALLOWED',
    message: 'The link offers no Apple Pay. Pay in another way.',
  },
  refused: UNAVAILABLE,
  stale: { status: 403, code: 'FORBIDDEN', message: 'The form is not from this page. Load the page again.' },
  unknown: UNAVAILABLE,
} as const satisfies Readonly<
  Record<Exclude<LinkApplePaySession['kind'], 'opened'> | 'inactive' | 'stale', Refused>
>;

const tooMany = (waitSeconds: number): Refused => ({
  status: 429,
  code: 'RATE_LIMITED',
  message: `The sheet was opened too often. Try again in ${waitSeconds} seconds.`,
  headers: { 'retry-after': String(waitSeconds) },
});
