import { sandboxConnectors } from '../../support/sandbox-connectors.ts';
import { createShiftedClock } from '../../support/shifted-clock.ts';
import { startHarness, type Harness } from '../../transactions/harness.ts';
import { postWebhooks } from '../double-server.ts';
import { connect } from '../kit/service.ts';
import type { Action } from './native-steps.ts';
import { startAdyen } from './start.ts';

export const CLIENT_KEY = 'test_870be2example';
export const RETURN = 'https://shop.example/back';

/** A card that needs the fingerprint and the challenge. */
export const BOTH = cardOf('4212345678901237');
export const FINGERPRINT_ALONE = cardOf('5201281505129736');

function cardOf(number: string) {
  return { number, expirationDate: '03/30', securityCode: '737' };
}

/** A payment whose client says that the software of Adyen is there. */
export const NATIVE = {
  integrationClient: 'WEB',
  connectionOptions: { 'adyen-card': { nativeThreeDSecure: true, window_origin: 'https://shop.example' } },
};

const BROWSER = {
  ...{ acceptHeader: '*/*', userAgent: 'Mozilla/5.0', userDevice: 'DESKTOP', language: 'en-US' },
  ...{ javascriptEnabled: true, javaEnabled: false, colorDepth: 24, screenHeight: 800, screenWidth: 1200 },
  timeZoneOffset: 0,
};

/** A payment after its creation. The token is null unless a client has to act. */
export type Begun = { readonly id: string; readonly token: string | null };

export type Session = {
  readonly session_data: Readonly<Record<string, string | null>> & { readonly action: Action };
  readonly default_completion_url: string;
};

/** The answer to the results of a client. */
export type Completed = {
  readonly transaction_id: string;
  readonly status: string;
  readonly action: Action | null;
  readonly redirect_url: string | null;
};

/** A payment whose client has opened its session, with the first action and the address for results. */
export type Acting = Begun & {
  readonly url: string;
  readonly data: Session['session_data'];
  readonly action: Action;
};

/** Begins a payment, and opens its session. */
export async function beginAt(
  shop: NativeShop,
  input: Readonly<Record<string, unknown>> = {},
): Promise<Acting> {
  const begun = await shop.pay(input);
  const { session_data: data, default_completion_url: url } = await shop.session(begun);
  return { ...begun, url, data, action: data.action };
}

/** Returns the action of an answer, which must have one. */
export function actionIn({ action }: { readonly action: Action | null }): Action {
  if (!action) throw new Error('The answer has no action.');
  return action;
}

export type NativeShop = Awaited<ReturnType<typeof startNativeShop>>;

/** Starts a service with a payment service at the double of Adyen. */
export async function startNativeShop() {
  const clock = createShiftedClock();
  const { double, connector, definition, fields, close } = await startAdyen({ now: () => clock.now() });
  const connectors = [...sandboxConnectors, connector];
  const harness = await startHarness('mock-card', { clock, connectors });
  const given = { ...fields, client_key: CLIENT_KEY };
  const { id: paymentServiceId, webhookUrl } = await connect(harness, definition, given);
  /** Exchanges the session token as a client without an access token. */
  const exchange = ({ id, token }: Begun) =>
    fetch(`${harness.server.url}/transactions/${id}/session?token=${token}`, { method: 'POST' });
  const post = (url: string, results: unknown) =>
    fetch(url, {
      ...{ method: 'POST', body: JSON.stringify(results), redirect: 'manual' },
      headers: { 'content-type': 'application/json' },
    });
  return {
    ...{ harness, double, exchange, post },
    pay: (input: Readonly<Record<string, unknown>> = {}, key?: string) =>
      pay(harness, { paymentServiceId, ...input }, key),
    session: async (begun: Begun): Promise<Session> => {
      const answer = await exchange(begun);
      if (!answer.ok) throw new Error(`The session was refused: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as Session;
    },
    complete: async (url: string, results: unknown) => (await (await post(url, results)).json()) as Completed,
    show: async (id: string) => {
      const { transaction } = await harness.ask<{ transaction: Readonly<Record<string, unknown>> }>(SHOW, {
        id,
      });
      return transaction;
    },
    /** Adyen's book of a payment of ours. */
    book: async (id: string) => double.book(await keyOf(harness, id)),
    /** The address to which Adyen's page sends the buyer of a payment back. */
    returnUrl: async (id: string): Promise<string> => {
      const key = await keyOf(harness, id);
      const begun = double.calls.find(({ headers }) => headers['idempotency-key'] === key);
      return (JSON.parse(begun?.body ?? '{}') as { readonly returnUrl?: string }).returnUrl ?? '';
    },
    /** The requests to a path of Adyen, as their idempotency keys. */
    keysAt: (path: string): readonly string[] =>
      double.calls.flatMap((call) =>
        call.path.endsWith(path) ? [call.headers['idempotency-key'] ?? ''] : [],
      ),
    deliver: async (): Promise<void> => void (await postWebhooks(webhookUrl, double.webhooks())),
    stop: async () => {
      await harness.stop();
      await close();
    },
  };
}

async function keyOf(harness: Harness, transactionId: string): Promise<string> {
  const { prisma } = harness.server.app.db;
  const found = await prisma.operation.findFirst({ where: { transactionId, kind: 'authorize' } });
  return found?.providerKey ?? found?.id ?? '';
}

async function pay(harness: Harness, input: Readonly<Record<string, unknown>>, key?: string): Promise<Begun> {
  type Answer = {
    readonly transaction: { readonly id: string } | null;
    readonly sessionToken: string | null;
    readonly userErrors: readonly unknown[];
  };
  const { payload } = await harness.ask<{ payload: Answer }>(CREATE, {
    input: {
      ...{ amount: 1299, currency: 'EUR', country: 'DE', paymentMethod: { card: BOTH } },
      ...{ browserInfo: BROWSER, redirectUrl: RETURN, ...NATIVE, ...input },
    },
    key,
  });
  if (!payload.transaction) throw new Error(JSON.stringify(payload.userErrors));
  return { id: payload.transaction.id, token: payload.sessionToken };
}

const CREATE = `mutation ($input: CreateTransactionInput!, $key: String) {
  payload: createTransaction(input: $input, idempotencyKey: $key) {
    transaction { id } sessionToken userErrors { message path } } }`;

const SHOW = `query ($id: ID!) { transaction(id: $id) { id status approvalUrl errorCode rawResponseCode
  rawResponseDescription authorizedAmount capturedAmount paymentServiceTransactionId } }`;
