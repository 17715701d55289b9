import { startHarness, type CreateInput, type Harness, type HarnessOptions } from './harness.ts';

export const RETURN = 'https://shop.example/back';
export const BY_WALLET = {
  paymentMethod: { redirect: { method: 'venmo' } },
  integrationClient: 'WEB',
  redirectUrl: RETURN,
};

/** The session data for a client. */
export type Session = {
  readonly sessionData: Readonly<Record<string, string>> & { readonly approvalUrl: string };
  readonly defaultCompletionUrl: string;
  readonly integrationClient: string;
  readonly expiresAt: string;
};

export type Opened = {
  readonly session: Session | null;
  readonly userErrors: readonly {
    __typename: string;
    code: string;
    path: readonly string[];
    status?: string;
  }[];
};

/** A payment that waits for its buyer's client. */
export type Waiting = { readonly id: string; readonly token: string };

export type Shown = {
  readonly status: string;
  readonly approvalUrl: string | null;
  readonly errorCode: string | null;
  readonly [field: string]: unknown;
};

/** A harness at the sandbox's wallet, with helpers for payments that a client completes. */
export type SessionHarness = Harness & {
  wait(input?: Partial<CreateInput>, key?: string): Promise<Waiting>;
  open(waiting: Waiting): Promise<Opened>;
  opened(waiting: Waiting): Promise<Session>;
  /** Posts the buyer's decision in the wallet. */
  say(session: Session, reported?: 'approved' | 'refused'): Promise<Response>;
  /** Creates a payment that the buyer has approved. Returns its id and its completion address. */
  approved(input?: Partial<CreateInput>): Promise<{ readonly id: string; readonly url: string }>;
  complete(url: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  show(id: string): Promise<Shown>;
};

export async function startSessionHarness(options: HarnessOptions = {}): Promise<SessionHarness> {
  const harness = await startHarness('mock-wallet', options);
  const wait: SessionHarness['wait'] = async (input = {}, key) => {
    const { payload } = await harness.ask<{
      payload: { transaction: { id: string } | null; sessionToken: string | null; userErrors: unknown[] };
    }>(
      `mutation ($input: CreateTransactionInput!, $key: String) { payload: createTransaction(input: $input, idempotencyKey: $key) {
        transaction { id } sessionToken userErrors { message path } } }`,
      { input: { amount: 1299, currency: 'USD', ...BY_WALLET, ...input }, key },
    );
    if (!payload.transaction || !payload.sessionToken) throw new Error(JSON.stringify(payload));
    return { id: payload.transaction.id, token: payload.sessionToken };
  };
  const open: SessionHarness['open'] = async (waiting) =>
    (await harness.ask<{ payload: Opened }>(OPEN, waiting)).payload;
  const opened: SessionHarness['opened'] = async (waiting) => {
    const { session, userErrors } = await open(waiting);
    if (!session) throw new Error(JSON.stringify(userErrors));
    return session;
  };
  const say: SessionHarness['say'] = ({ sessionData }, reported = 'approved') =>
    fetch(sessionData.approvalUrl, {
      method: 'POST',
      body: new URLSearchParams({ decision: reported }),
      redirect: 'manual',
    });
  return {
    ...harness,
    wait,
    open,
    opened,
    say,
    approved: async (input) => {
      const waiting = await wait(input);
      const session = await opened(waiting);
      await say(session);
      return { id: waiting.id, url: session.defaultCompletionUrl };
    },
    complete: (url, headers = {}) => fetch(url, { headers, redirect: 'manual' }),
    show: async (id) => (await harness.ask<{ transaction: Shown }>(SHOW, { id })).transaction,
  };
}

export const OPEN = `mutation ($id: ID!, $token: String!) { payload: createTransactionSession(id: $id, token: $token) {
  session { sessionData { orderId clientId merchantId currency intent fundingSource approvalUrl } defaultCompletionUrl
    integrationClient expiresAt }
  userErrors { __typename code message path ... on TransactionSessionEnded { status } } } }`;

const SHOW = `query ($id: ID!) { transaction(id: $id) { id status approvalUrl approvalExpiresAt paymentReference errorCode
  authorizedAmount capturedAmount intentOutcome integrationClient paymentServiceTransactionId } }`;
