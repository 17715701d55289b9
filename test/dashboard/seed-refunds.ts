import { join, type Host } from '../people/people.ts';
import { pageOf } from '../sessions/browser-fetch.ts';
import { createPayment } from './seed.ts';

/** The limit up to which a person refunds alone, as a setting of the service. */
export const REFUND_LIMIT = { PAYGRAPH_REFUND_APPROVAL: 'EUR:5000' } as const;

/** A person of a role, with the headers of the person's browser. */
export type Signed = { readonly cookie: string; readonly headers: Record<string, string> };

/** Invites a person, who accepts and is signed in. */
export async function signInAsNew(server: Host, email: string, role: string): Promise<Signed> {
  const { cookie } = await join(server, email, role);
  return { cookie, headers: pageOf(server, cookie) };
}

/** Asks for a refund that another person must approve. Returns the id of the request. */
async function askRefund(server: Host, { headers }: Signed, amount: number): Promise<string> {
  const payment = await createPayment(server, { amount, email: 'ada.novak@example.com', name: 'Ada Novak' });
  const { body } = await server.graphql<{ refundTransaction: { approval: { id: string } | null } }>(
    `mutation ($id: ID!, $input: RefundInput!) { refundTransaction(id: $id, input: $input) { approval { id } } }`,
    { id: payment, input: { amount, reason: 'The order was cancelled' } },
    { token: null, headers },
  );
  const id = body.data?.refundTransaction.approval?.id;
  if (id === undefined) throw new Error(JSON.stringify(body));
  return id;
}

/** Makes requests of a person of support. One is withdrawn, and two wait for another person. */
export async function seedRefundRequests(server: Host): Promise<void> {
  const kim = await signInAsNew(server, 'kim@example.com', 'SUPPORT');
  const withdrawn = await askRefund(server, kim, 9900);
  const { body } = await server.graphql<{ withdrawRefund: { userErrors: readonly unknown[] } }>(
    `mutation ($id: ID!) { withdrawRefund(id: $id) { userErrors { message } } }`,
    { id: withdrawn },
    { token: null, headers: kim.headers },
  );
  if (body.data?.withdrawRefund.userErrors.length !== 0) throw new Error(JSON.stringify(body));
  await askRefund(server, kim, 12_000);
  await askRefund(server, kim, 7450);
}
