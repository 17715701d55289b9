import { randomUUID } from 'node:crypto';
import { openSession, type Role } from '../../src/modules/sessions/index.ts';
import { pageOf } from '../sessions/browser-fetch.ts';
import type { TestServer } from '../support/server.ts';

/** The fields of a request for a refund for tests. */
export type Approval = {
  readonly id: string;
  readonly status: string;
  readonly requestedBy: string;
  readonly decidedBy: string | null;
  readonly [field: string]: unknown;
};

/** The fields of the payloads of refunds and decisions for tests. */
export type Decided = {
  readonly approval: Approval | null;
  readonly refund: { readonly id: string; readonly status: string; readonly amount: number } | null;
  readonly refundId?: string | null;
  readonly userErrors: readonly { readonly code: string; readonly [field: string]: unknown }[];
  readonly replayed?: boolean;
};

/** A person who is signed in at the dashboard. */
export type Someone = {
  readonly name: string;
  ask<Data>(document: string, variables?: Readonly<Record<string, unknown>>): Promise<Data>;
  refund(id: string, input: Readonly<Record<string, unknown>>, key?: string): Promise<Decided>;
  approve(id: string): Promise<Decided>;
  reject(id: string, reason: string): Promise<Decided>;
  withdraw(id: string): Promise<Decided>;
};

const APPROVAL = `approval { id status amount currency target reason requestedBy requestedByViewer decidedBy decisionReason errorCode
  expiresAt decidedAt refund { id status amount } transaction { id } }`;
const ERRORS = `userErrors { __typename code message path ... on RefundApprovalRequired { approvalId status requested { amount currency } }
  ... on RefundApprovalEnded { status } }`;
const REFUND = 'refund { id status amount }';

const DOCUMENTS = {
  refund: `mutation ($id: ID!, $input: RefundInput!, $key: String) {
    payload: refundTransaction(id: $id, input: $input, idempotencyKey: $key) { ${APPROVAL} ${REFUND} replayed ${ERRORS} } }`,
  approve: `mutation ($id: ID!) { payload: approveRefund(id: $id) { ${APPROVAL} ${REFUND} refundId ${ERRORS} } }`,
  reject: `mutation ($id: ID!, $reason: String!) { payload: rejectRefund(id: $id, reason: $reason) { ${APPROVAL} ${ERRORS} } }`,
  withdraw: `mutation ($id: ID!) { payload: withdrawRefund(id: $id) { ${APPROVAL} ${ERRORS} } }`,
} as const;

/** Signs a person in at a merchant account, `default` if not given. */
export async function someone(
  server: TestServer,
  name: string,
  role: Role = 'support',
  merchantAccountId = server.merchantAccountId,
): Promise<Someone> {
  const { ticket } = await openSession(server.app, {
    ...{ person: name, personId: randomUUID(), role, merchantAccountId },
    ...{ signedInWith: 'password', address: null, userAgent: null },
  });
  return signedIn(server, name, ticket);
}

/** Returns a person with the cookie of an open session. */
export function signedIn(server: Pick<TestServer, 'url' | 'graphql'>, name: string, ticket: string): Someone {
  const headers = pageOf(server, `paygraph_session_${new URL(server.url).port}=${ticket}`);
  const ask: Someone['ask'] = async <Data>(document: string, variables = {}) => {
    const { body } = await server.graphql<Data>(document, variables, { token: null, headers });
    if (!body.data) throw new Error(JSON.stringify(body.errors));
    return body.data;
  };
  const run = async (document: string, variables: Readonly<Record<string, unknown>>): Promise<Decided> =>
    (await ask<{ payload: Decided }>(document, variables)).payload;
  return {
    name,
    ask,
    refund: (id, input, key) => run(DOCUMENTS.refund, { id, input, key }),
    approve: (id) => run(DOCUMENTS.approve, { id }),
    reject: (id, reason) => run(DOCUMENTS.reject, { id, reason }),
    withdraw: (id) => run(DOCUMENTS.withdraw, { id }),
  };
}
