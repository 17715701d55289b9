import { actingAsBuyer } from '../buyer.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { App } from '../../app.ts';
import { approvalOf, approve, isLeftToClient, type Approval } from '../../modules/transactions/index.ts';
import { finishedChallenge, challengePage } from './challenge.ts';
import { html, type Markup } from '../pages/html.ts';
import { LOCAL_TIME_SCRIPT, localTime } from '../pages/local-time.ts';
import { formatAmount, sendPage, type Page } from '../pages/page.ts';
import { returnAddress } from '../pages/return-address.ts';
import { finishedVoucher, voucherPage } from './voucher.ts';
import { clientDecision } from './wallet.ts';
import { BODY_BYTES_MAX } from '../answers/replies.ts';

/**
 * Serves `/approve/<token>`, the sandbox's approval page for providers, wallets and 3-D Secure challenges. Works
 * without scripts.
 * - The page shows the payment, and a form approves or declines it.
 * - After the decision, the buyer returns to the payment's `redirectUrl` with its id and status. After an approval in a
 *   client, the buyer stays there.
 * - A repeated or late visit shows the current state.
 * - For a push payment the page only shows how to pay.
 * - An unknown token is 404.
 */
export function serveApproval(server: FastifyInstance, app: App): void {
  void server.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: BODY_BYTES_MAX },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );
    scope.get<{ Params: { token: string } }>('/approve/:token', async (request, reply) => {
      const approval = await approvalOf(app, request.params.token);
      return show(reply, approval);
    });
    scope.post<{ Params: { token: string } }>('/approve/:token', async (request, reply) => {
      const decision = request.body instanceof URLSearchParams ? request.body.get('decision') : null;
      if (decision !== 'approved' && decision !== 'refused')
        return show(reply, await approvalOf(app, request.params.token), 400);
      const approval = await approve(actingAsBuyer(app, request), request.params.token, decision);
      const address = approval && addressAfter(approval);
      return address ? reply.redirect(address, 303) : show(reply, approval);
    });
  });
}

/**
 * Returns the buyer's next address after a decision. Null while the buyer stays: after an approval in a client, which
 * goes on, or before a payment elsewhere.
 */
const addressAfter = (approval: Approval): string | null =>
  isLeftToClient(approval) || approval.state === 'pending' ? null : returnAddress(approval.transaction);

function show(reply: FastifyReply, approval: Approval | null, status = 200): FastifyReply {
  if (!approval) return sendPage(reply, { title: 'Not found', body: UNKNOWN, status: 404 });
  if (approval.state !== 'pending')
    return sendPage(reply, { title: 'Payment', body: decided(approval), status });
  const address = returnAddress(approval.transaction);
  const formTargets = address === null ? [] : [new URL(address).origin];
  return sendPage(reply, { ...open(approval, address), status, formTargets, script: LOCAL_TIME_SCRIPT });
}

function open(approval: Approval, address: string | null): Pick<Page, 'title' | 'body'> {
  switch (approval.kind) {
    case 'challenge':
      return { title: 'Confirm it is you', body: challengePage(approval, address) };
    case 'voucher':
      return { title: 'Pay with a reference', body: voucherPage(approval, address) };
    default:
      return { title: 'Approve a payment', body: approvalForm(approval, address) };
  }
}

const UNKNOWN = html`<p class="over">Sandbox</p>
  <h1>There is nothing to approve here</h1>
  <p>The address is not complete, or the payment never asked for an approval.</p>`;

function approvalForm({ transaction, merchantName, expiresAt }: Approval, address: string | null): Markup {
  return html`<p class="over">Sandbox · ${transaction.method}</p>
    <h1>Pay ${merchantName}</h1>
    <p class="amount">${formatAmount(transaction.amount, transaction.currency)}</p>
    <dl>
      ${
        transaction.externalIdentifier !== null &&
        html`<dt>Order</dt>
          <dd>${transaction.externalIdentifier}</dd>`
      }
      <dt>Approve by</dt>
      <dd>${localTime(expiresAt)}</dd>
    </dl>
    <form method="post">
      <button class="main" name="decision" value="approved">Approve</button>
      <button name="decision" value="refused">Refuse</button>
    </form>
    <p class="note">
      This page stands for the provider's. No money moves.
      ${address !== null && html`<a href="${address}">Go back without deciding</a>.`}
    </p>`;
}

const SAID = {
  approved: ['You approved this payment', 'You can close this page.'],
  refused: ['You refused this payment', 'Nothing was paid. You can close this page.'],
  expired: ['The time to approve has passed', 'Nothing was paid. Ask the merchant for a new payment.'],
} as const;

function describe(approval: Approval): readonly [title: string, meaning: string] {
  switch (approval.kind) {
    case 'challenge':
      return finishedChallenge(approval);
    case 'session':
      return clientDecision(approval);
    case 'voucher':
      return finishedVoucher(approval);
    case 'redirect':
      return SAID[approval.state === 'pending' || approval.state === 'returned' ? 'expired' : approval.state];
  }
}

function decided(approval: Approval): Markup {
  const [title, what] = describe(approval);
  const address = addressAfter(approval);
  return html`<p class="over">Sandbox · ${approval.merchantName}</p>
    <h1>${title}</h1>
    <p>${what}</p>
    ${address !== null && html`<p><a class="button" href="${address}">Back to ${approval.merchantName}</a></p>`}`;
}
