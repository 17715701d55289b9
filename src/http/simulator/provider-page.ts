import type { FastifyInstance, FastifyReply } from 'fastify';
import type { App } from '../../app.ts';
import { findReturn, type Approval } from '../../modules/transactions/index.ts';
import { html, type Markup } from '../pages/html.ts';
import { LOCAL_TIME_SCRIPT, localTime } from '../pages/local-time.ts';
import { formatAmount, sendPage, type Page } from '../pages/page.ts';
import { returnAddress } from '../pages/return-address.ts';
import { BODY_BYTES_MAX } from '../answers/replies.ts';

/**
 * Serves `/sandbox/redirect/<token>`, the sandbox's page of a provider that sends the buyer back. It is opened by a GET,
 * or by a POST of a form. Its forms lead back by a GET or by a POST, with the buyer's decision. The page itself decides
 * nothing.
 */
export function serveProviderPage(server: FastifyInstance, app: App): void {
  void server.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: BODY_BYTES_MAX },
      (_request, _body, done) => done(null),
    );
    for (const method of ['GET', 'POST'] as const) {
      scope.route<{ Params: { token: string } }>({
        method,
        url: '/sandbox/redirect/:token',
        handler: async (request, reply) => {
          const { token } = request.params;
          return show(reply, await findReturn(app, token), `${app.publicUrl}/return/${token}`);
        },
      });
    }
  });
}

function show(reply: FastifyReply, approval: Approval | null, back: string): FastifyReply {
  if (!approval) return sendPage(reply, { title: 'Not found', body: UNKNOWN, status: 404 });
  if (approval.state !== 'pending') return sendPage(reply, { title: 'Payment', body: over(approval) });
  const address = returnAddress(approval.transaction);
  // A browser applies the policy of forms to the redirects after them too.
  const formTargets = [back, ...(address === null ? [] : [address])].map((url) => new URL(url).origin);
  return sendPage(reply, { ...open(approval, back), formTargets, script: LOCAL_TIME_SCRIPT });
}

const open = (
  { transaction, merchantName, expiresAt }: Approval,
  back: string,
): Pick<Page, 'title' | 'body'> => ({
  title: 'Approve a payment',
  body: html`<p class="over">Sandbox · ${transaction.method}</p>
    <h1>Pay ${merchantName}</h1>
    <p class="amount">${formatAmount(transaction.amount, transaction.currency)}</p>
    <dl>
      <dt>Approve by</dt>
      <dd>${localTime(expiresAt)}</dd>
    </dl>
    <form method="get" action="${back}">
      <button class="main" name="redirect_result" value="approved">Approve</button>
      <button name="redirect_result" value="refused">Refuse</button>
    </form>
    <form method="post" action="${back}">
      <button name="redirect_result" value="approved">Approve, and post back</button>
      <button name="redirect_result" value="refused">Refuse, and post back</button>
    </form>
    <p class="note">
      This page stands for the provider's. No money moves. <a href="${back}">Go back without deciding</a>.
    </p>`,
});

const UNKNOWN = html`<p class="over">Sandbox</p>
  <h1>There is nothing to approve here</h1>
  <p>The address is not complete.</p>`;

function over({ transaction, merchantName }: Approval): Markup {
  const address = returnAddress(transaction);
  return html`<p class="over">Sandbox · ${merchantName}</p>
    <h1>Nothing is left to approve</h1>
    <p>You can close this page.</p>
    ${address !== null && html`<p><a class="button" href="${address}">Back to ${merchantName}</a></p>`}`;
}
