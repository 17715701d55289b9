import { startProcess, type ServerProcess } from './process.ts';
import type { Settings } from './command.ts';

export type Verb = 'authorize' | 'capture' | 'refund' | 'void';

const AFTERWARDS = 'transaction { id status authorizedAmount capturedAmount refundedAmount }';
const REST = 'userErrors { code message } replayed';

/** One document for each verb. All answers use the same names. */
export const DOCUMENTS: Readonly<Record<Verb, string>> = {
  authorize: `mutation ($input: CreateTransactionInput!, $key: String) {
    payload: createTransaction(input: $input, idempotencyKey: $key) { ${AFTERWARDS} ${REST} } }`,
  capture: `mutation ($id: ID!, $input: CaptureInput!, $key: String) {
    payload: captureTransaction(id: $id, input: $input, idempotencyKey: $key) {
      operation: capture { id amount status errorCode } ${AFTERWARDS} ${REST} } }`,
  refund: `mutation ($id: ID!, $input: RefundInput!, $key: String) {
    payload: refundTransaction(id: $id, input: $input, idempotencyKey: $key) {
      operation: refund { id amount status errorCode } ${AFTERWARDS} ${REST} } }`,
  void: `mutation ($id: ID!, $key: String) {
    payload: voidTransaction(id: $id, idempotencyKey: $key) {
      operation: void { id status errorCode } ${AFTERWARDS} ${REST} } }`,
};

/** The payload of a money mutation. */
export type Payload = {
  readonly transaction: { readonly id: string; readonly status: string } | null;
  /** Absent for an authorisation. */
  readonly operation?: { readonly id: string; readonly status: string } | null;
  readonly userErrors: readonly { readonly code: string }[];
  readonly replayed: boolean;
};

export type Order = {
  readonly verb: Verb;
  readonly variables: Readonly<Record<string, unknown>>;
};

/**
 * Returns the input of an authorisation in minor units, with a card that the provider approves. Null leaves the
 * payment service open.
 */
export const authorization = (amount: number, paymentServiceId: string | null): Order => ({
  verb: 'authorize',
  variables: {
    input: {
      amount,
      currency: 'USD',
      paymentServiceId,
      paymentMethod: {
        card: { number: '4111 1111 1111 1111', expirationDate: '12/40', securityCode: '100' },
      },
    },
  },
});

/** Posts an order and returns the status and the raw body. Throws when the connection breaks. */
export async function post(
  { url, token }: Pick<ServerProcess, 'url' | 'token'>,
  { verb, variables }: Order,
  given: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { ...given, 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: DOCUMENTS[verb], variables }),
  });
  return { status: response.status, text: await response.text() };
}

/** Returns the payload of an answer, or null when the answer is an error. */
export function payloadOf(text: string): Payload | null {
  const { data } = JSON.parse(text) as { readonly data?: { readonly payload: Payload } | null };
  return data?.payload ?? null;
}

/**
 * Starts two processes on one database, as on two machines. Each has its own data folder. Both share one master key.
 */
export const startPair = (settings: Settings): Promise<[ServerProcess, ServerProcess]> =>
  Promise.all([startProcess(settings), startProcess(settings)]);

/** Creates a payment service that allows several captures, at a provider of the sandbox's kind. Returns its id. */
export async function createService(server: ServerProcess, url: string): Promise<string> {
  type Created = {
    readonly createPaymentService: { readonly paymentService: { readonly id: string } | null };
  };
  const { body } = await server.graphql<Created>(
    `mutation ($url: String!) { createPaymentService(input: {
      displayName: "Provider of the test", paymentServiceDefinitionId: "mock-acquirer",
      fields: [{ key: "merchant_id", value: "test" }, { key: "api_url", value: $url }],
      acceptedCurrencies: ["USD"], acceptedCountries: ["US"] }) { paymentService { id } userErrors { message } } }`,
    { url },
  );
  const id = body.data?.createPaymentService.paymentService?.id;
  if (id === undefined) throw new Error(JSON.stringify(body));
  return id;
}
