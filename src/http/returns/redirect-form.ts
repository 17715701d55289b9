import type { FastifyInstance } from 'fastify';
import type { App } from '../../app.ts';
import { redirectStepOf, type Redirected } from '../../modules/transactions/index.ts';
import { html } from '../pages/html.ts';
import { sendPage, type Page } from '../pages/page.ts';
import { returnAddress } from '../pages/return-address.ts';

/**
 * Serves `/go/<token>`, which posts a form to the provider's page. The form posts itself. Without scripts, the buyer
 * presses a button. The page's policy allows a form to the provider's origin alone.
 *
 * After the end of the wait, the buyer returns to the payment's `redirectUrl`. An unknown token is 404.
 */
export function serveRedirectForm(server: FastifyInstance, app: App): void {
  server.get<{ Params: { token: string } }>('/go/:token', async (request, reply) => {
    const found = await redirectStepOf(app, request.params.token);
    if (!found) return sendPage(reply, UNKNOWN);
    if (found.step && 'url' in found.step) return sendPage(reply, formPage(found.step));
    const address = returnAddress(found.approval.transaction);
    return address === null ? sendPage(reply, OVER) : reply.redirect(address, 303);
  });
}

type Form = Extract<Redirected['step'], { readonly url: string }>;

const formPage = ({ url, fields }: Form): Page => ({
  title: 'Go on to approve the payment',
  formTargets: [new URL(url).origin],
  leadsAway: true,
  script: POST_ITSELF,
  body: html`<h1>One moment</h1>
    <p>You approve the payment at the page of its provider.</p>
    <form method="post" action="${url}">
      ${Object.entries(fields).map(
        ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
      )}
      <button class="main">Go on</button>
    </form>`,
});

/** A field named `submit` would hide the method of the form. */
const POST_ITSELF = 'HTMLFormElement.prototype.submit.call(document.forms[0]);';

const UNKNOWN: Page = {
  title: 'There is nothing to approve here',
  status: 404,
  body: html`<h1>There is nothing to approve here</h1>
    <p>The address is not complete.</p>`,
};

const OVER: Page = {
  title: 'You can go back now',
  body: html`<h1>You can go back now</h1>
    <p>Ask the merchant for the result of the payment.</p>`,
};
