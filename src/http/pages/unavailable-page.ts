import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuseRequest } from '../answers/error-body.ts';
import type { Refused } from '../answers/replies.ts';
import { RETRY_HEADERS, UNAVAILABLE_REFUSAL } from '../answers/unavailable.ts';
import { html } from './html.ts';
import { sendPage } from './page.ts';

/** Answers 503 without a database, or during a move: a page for a browser, an error body for a program. */
export function answerUnavailable(
  request: FastifyRequest,
  reply: FastifyReply,
  refused: Refused = UNAVAILABLE_REFUSAL,
): FastifyReply {
  if (request.headers.accept?.includes('text/html') !== true) return refuseRequest(request, reply, refused);
  return sendPage(reply.headers(RETRY_HEADERS), {
    title: TITLE,
    status: 503,
    body: html`<h1>${TITLE}</h1>
      <p>Load this page again in a moment. The page then shows the state of your payment.</p>`,
  });
}

const TITLE = 'This page is not available at the moment';
