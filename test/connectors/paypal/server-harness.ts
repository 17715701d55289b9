import { createPayPal } from '../../../src/connectors/paypal/index.ts';
import { reconcileDue } from '../../../src/modules/transactions/index.ts';
import { createShiftedClock } from '../../support/shifted-clock.ts';
import { startTestServer } from '../../support/server.ts';
import { createService } from '../../transactions/harness.ts';
import { createPayPalDouble } from './double.ts';

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
  const double = createPayPalDouble({ now: () => clock.now() });
  const listening = await double.listen();
  const paypal = createPayPal({ sandbox: listening.url, production: listening.url });
  const server = await startTestServer({ clock, connectors: [paypal] });
  await createService(server, null, {
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
  return {
    ...{ double, server, ask, show },
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
    /** Lets time pass, and reconciles everything that is due. */
    reconcile: async (ms: number) => {
      clock.advance(ms);
      token = await server.mint();
      await reconcileDue(server.app);
    },
    bookOf: ({ paymentServiceTransactionId: id }: Pick<Shown, 'paymentServiceTransactionId'>) =>
      double.books().payments.find((book) => book.id === id),
    stop: async () => {
      await server.stop();
      await listening.close();
    },
  };
}
