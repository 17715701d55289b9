import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import {
  comeBack,
  isStorableReturn,
  type Approval,
  type Returned,
} from '../../modules/transactions/index.ts';
import { actingAsBuyer } from '../buyer.ts';
import { isPrefetch } from './prefetch.ts';
import { html } from '../pages/html.ts';
import { sendPage, type Page } from '../pages/page.ts';
import { returnAddress } from '../pages/return-address.ts';
import { BODY_BYTES_MAX } from '../answers/replies.ts';

/**
 * Serves `/return/<token>`, to which a provider's page sends the buyer back.
 * - The parameters of a GET are in the query, those of a POST in the form. The provider alone reads them.
 * - The payment goes on, and the buyer returns to its `redirectUrl` with id and status. Without an address, a page says
 *   that the buyer may go back.
 * - A repeated or late visit changes nothing, and leads to the same address.
 * - An unknown token is 404. More or longer parameters than a provider needs are 400, and change nothing.
 *
 * A browser's prefetch continues nothing. No parameter is ever logged.
 */
export function serveReturn(server: FastifyInstance, app: App): void {
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: BODY_BYTES_MAX },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );
    scope.get<Route>('/return/:token', async (request, reply) => {
      if (isPrefetch(request)) return sendPage(reply, PREFETCH_REFUSED);
      return bringBack(app, request, reply, queryOf(request.url));
    });
    scope.post<Route>('/return/:token', async (request, reply) =>
      bringBack(app, request, reply, request.body instanceof URLSearchParams ? request.body : null),
    );
  });
}

type Route = { Params: { token: string } };

const queryOf = (url: string): URLSearchParams => new URLSearchParams(url.split('?').slice(1).join('?'));

async function bringBack(
  app: App,
  request: FastifyRequest<Route>,
  reply: FastifyReply,
  parameters: URLSearchParams | null,
): Promise<FastifyReply> {
  // The first of equal names counts.
  const returned: Returned = Object.fromEntries([...(parameters ?? [])].toReversed());
  if (!isStorableReturn(returned)) return sendPage(reply, TOO_MUCH);
  const approval = await comeBack(actingAsBuyer(app, request), request.params.token, returned);
  return approval ? answer(reply, approval) : sendPage(reply, UNKNOWN);
}

function answer(reply: FastifyReply, { transaction }: Approval): FastifyReply {
  const address = returnAddress(transaction);
  return address === null ? sendPage(reply, DONE) : reply.redirect(address, 303);
}

const pageOf = (status: number, title: string, what: string): Page => ({
  title,
  status,
  body: html`<h1>${title}</h1>
    <p>${what}</p>`,
});

const UNKNOWN = pageOf(404, 'There is nothing to come back to here', 'The address is not complete.');
const TOO_MUCH = pageOf(400, 'This address cannot be read', 'Nothing was done. Go back to the merchant.');
const PREFETCH_REFUSED = pageOf(403, 'This page cannot be loaded in advance', 'Nothing was done.');
const DONE = pageOf(200, 'You can go back now', 'Ask the merchant for the result of the payment.');
