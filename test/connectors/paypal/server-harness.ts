import { afterAll } from '@jest/globals';
import { applyDueWebhooks, reconcileDue } from '../../../src/modules/transactions/index.ts';
import type { DoubleEvent } from '../double-server.ts';
import { createShiftedClock } from '../../support/shifted-clock.ts';
import { startTestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { connect } from '../kit/service.ts';
import { startSignedDouble } from './stand.ts';

export const SHOP = 'https://shop.example/back';

/** The parts of a payment that the tests compare. */
export type Shown = {
  readonly id: string;
  readonly status: string;
  readonly approvalUrl: string | null;
  readonly errorCode: string | null;
  readonly capturedAmount: number;
  readonly refundedAmount: number;
  readonly paymentServiceTransactionId: string | null;
  readonly paymentMethodId: string | null;
};

type Payload = {
  readonly transaction: Shown | null;
  readonly sessionToken?: string | null;
  readonly userErrors: readonly { readonly message: string }[];
};

const SHOWN = `{ id status approvalUrl errorCode capturedAmount refundedAmount paymentServiceTransactionId }`;
const ERRORS = 'userErrors { message path }';
const CREATE = `mutation ($input: CreateTransactionInput!) { payload: createTransaction(input: $input) {
  transaction ${SHOWN} sessionToken ${ERRORS} } }`;

/** Returns the mutation of a follow-up. Only a capture and a refund have an input. */
function documentOf(verb: string, input?: object): string {
  const type = `${verb.charAt(0).toUpperCase()}${verb.slice(1)}Input!`;
  const [given, passed] = input ? [`, $input: ${type}`, ', input: $input'] : ['', ''];
  return `mutation ($id: ID!${given}) { payload: ${verb}Transaction(id: $id${passed}) {
    transaction ${SHOWN} ${ERRORS} } }`;
}

/**
 * Starts a whole service whose only provider is the double of PayPal, for the tests of a file. Background work runs only in
 * `reconcile`.
 */
export async function openPayPalServer() {
  const clock = createShiftedClock();
  const signed = await startSignedDouble({ now: () => clock.now() });
  const { double, url, fetched } = signed;
  const fields = {
    ...{ client_id: double.clientId, client_secret: double.clientSecret },
    ...{ webhook_id: double.webhookId, merchant_id: double.merchantId },
  };
  const connectors = [signed.connectorAt({ sandbox: url, production: url })];
  const server = await startTestServer({ clock, connectors });
  let { token } = server;
  const ask = async <Data>(document: string, variables: Readonly<Record<string, unknown>>) => {
    const { body } = await server.graphql<Data>(document, variables, { token });
    if (!body.data) throw new Error(JSON.stringify(body.errors));
    return body.data;
  };
  const service = await connect({ ask }, 'paypal-paypal', fields, { acceptedCurrencies: ['USD'] });
  const create = async (input: object): Promise<Shown & { readonly sessionToken: string }> => {
    const { payload } = await ask<{ payload: Payload }>(CREATE, { input });
    if (!payload.transaction) throw new Error(JSON.stringify(payload));
    return { ...payload.transaction, sessionToken: payload.sessionToken ?? '' };
  };
  const follow = async (verb: string, id: string, input?: object): Promise<Shown> => {
    const { payload } = await ask<{ payload: Payload }>(documentOf(verb, input), { id, input });
    if (!payload.transaction) throw new Error(JSON.stringify(payload));
    return payload.transaction;
  };
  afterAll(async () => {
    await server.stop();
    await signed.close();
  });
  return {
    now: () => clock.now(),
    ...{ double, server, ask, service },
    show: async (id: string): Promise<Shown> =>
      (await ask<{ transaction: Shown }>(`query ($id: ID!) { transaction(id: $id) ${SHOWN} }`, { id }))
        .transaction,
    serveAlone: signed.serveAlone,
    /** The paths of the certificates that Paygraph fetched. */
    fetched,
    /** Posts the webhooks that PayPal owes, or these, in their order. Returns the statuses of the answers. */
    deliver: (webhooks?: readonly DoubleEvent[]) => double.postTo(service.webhookUrl, webhooks),
    /** Waits until each received webhook has been applied, or put off for a moment. */
    applied: () =>
      until(async () => {
        const { prisma } = server.app.db;
        // The receiving process owns a webhook for ten seconds, and puts it off for one.
        const inMs = (ms: number) => new Date(clock.now().getTime() + ms);
        const open = { state: 'parked', nextAttemptAt: { gt: inMs(2_000), lte: inMs(10_000) } };
        return (await prisma.inboundWebhook.count({ where: open })) === 0;
      }, 'the webhooks'),
    create: (input: object = {}) =>
      create({
        ...{ amount: 1299, currency: 'USD', redirectUrl: SHOP },
        ...{ paymentMethod: { redirect: { method: 'paypal' } }, ...input },
      }),
    capture: (id: string, input: object = {}) => follow('capture', id, input),
    refund: (id: string, input: object = {}) => follow('refund', id, input),
    reauthorize: (id: string) => follow('reauthorize', id),
    void: (id: string) => follow('void', id),
    cancel: (id: string) => follow('cancel', id),
    /** Lets the buyer decide on PayPal's page, and sends the browser where the page sends it. */
    decide: async ({ approvalUrl }: Pick<Shown, 'approvalUrl'>, decision: 'approve' | 'cancel') => {
      const page = await fetch(`${approvalUrl ?? ''}&decision=${decision}`, { redirect: 'manual' });
      const back = await fetch(page.headers.get('location') ?? '', { redirect: 'manual' });
      return { status: back.status, location: back.headers.get('location') };
    },
    /** Lets time pass, applies the webhooks that wait, and reconciles everything that is due. */
    reconcile: async (ms: number) => {
      clock.advance(ms);
      token = await server.mint();
      while (await applyDueWebhooks(server.app));
      await reconcileDue(server.app);
    },
    bookOf: ({ paymentServiceTransactionId: id }: Pick<Shown, 'paymentServiceTransactionId'>) =>
      double.books().payments.find((book) => book.id === id),
  };
}
