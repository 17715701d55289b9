import { applyDueWebhooks, reconcileDue } from '../../../src/modules/transactions/index.ts';
import type { DoubleEvent } from '../double-server.ts';
import { createShiftedClock } from '../../support/shifted-clock.ts';
import { startTestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { createService } from '../../transactions/harness.ts';
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

/** A whole service whose only provider is the double of PayPal. Background work runs only in `reconcile`. */
export async function startPayPalServer() {
  const clock = createShiftedClock();
  // The merchant has the id that `createService` gives.
  const signed = await startSignedDouble({ now: () => clock.now(), merchantId: 'test' });
  const { double, url, fetched } = signed;
  const connectors = [signed.connectorAt({ sandbox: url, production: url })];
  const server = await startTestServer({ clock, connectors });
  const service = await createService(server, null, {
    definitionId: 'paypal-paypal',
    fields: {
      ...{ client_id: double.clientId, client_secret: double.clientSecret },
      webhook_id: double.webhookId,
    },
  });
  let { token } = server;
  const ask = async <Data>(document: string, variables: Readonly<Record<string, unknown>>) => {
    const { body } = await server.graphql<Data>(document, variables, { token });
    if (!body.data) throw new Error(JSON.stringify(body.errors));
    return body.data;
  };
  const mutate = async (mutation: string, variables: Readonly<Record<string, unknown>>) => {
    const { payload } = await ask<{ payload: Payload }>(mutation, variables);
    if (!payload.transaction) throw new Error(JSON.stringify(payload));
    return { ...payload.transaction, sessionToken: payload.sessionToken ?? '' };
  };
  const show = async (id: string): Promise<Shown> => {
    const { transaction } = await ask<{ transaction: Shown }>(
      `query ($id: ID!) { transaction(id: $id) ${SHOWN} }`,
      { id },
    );
    return transaction;
  };
  const { paymentService } = await ask<{ paymentService: { webhookUrl: string } }>(
    `query ($id: ID!) { paymentService(id: $id) { webhookUrl } }`,
    { id: service },
  );
  return {
    now: () => clock.now(),
    ...{ double, server, ask, show, webhookUrl: paymentService.webhookUrl },
    serveAlone: signed.serveAlone,
    /** The paths of the certificates that Paygraph fetched. */
    fetched,
    /** Posts the webhooks that PayPal owes, or these, in their order. Returns the statuses of the answers. */
    deliver: (webhooks?: readonly DoubleEvent[]) => double.postTo(paymentService.webhookUrl, webhooks),
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
      mutate(
        `mutation ($input: CreateTransactionInput!) { payload: createTransaction(input: $input) {
          transaction ${SHOWN} sessionToken ${ERRORS} } }`,
        {
          input: {
            ...{ amount: 1299, currency: 'USD', redirectUrl: SHOP },
            ...{ paymentMethod: { redirect: { method: 'paypal' } }, ...input },
          },
        },
      ),
    capture: (id: string, input: object = {}) =>
      mutate(
        `mutation ($id: ID!, $input: CaptureInput!) { payload: captureTransaction(id: $id, input: $input) {
          transaction ${SHOWN} ${ERRORS} } }`,
        { id, input },
      ),
    refund: (id: string, input: object = {}) =>
      mutate(
        `mutation ($id: ID!, $input: RefundInput!) { payload: refundTransaction(id: $id, input: $input) {
          transaction ${SHOWN} ${ERRORS} } }`,
        { id, input },
      ),
    reauthorize: (id: string) =>
      mutate(
        `mutation ($id: ID!) { payload: reauthorizeTransaction(id: $id) { transaction ${SHOWN} ${ERRORS} } }`,
        { id },
      ),
    void: (id: string) =>
      mutate(`mutation ($id: ID!) { payload: voidTransaction(id: $id) { transaction ${SHOWN} ${ERRORS} } }`, {
        id,
      }),
    cancel: (id: string) =>
      mutate(
        `mutation ($id: ID!) { payload: cancelTransaction(id: $id) { transaction ${SHOWN} ${ERRORS} } }`,
        { id },
      ),
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
    stop: async () => {
      await server.stop();
      await signed.close();
    },
  };
}
