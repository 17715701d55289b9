import { createService, startHarness, type CreateInput, type Harness, type Payload } from './harness.ts';

/** Cards with a known outcome in the sandbox. */
export const FRICTIONLESS = '4111111111101203';
export const CHALLENGED = '4111111111181072';

export const cardOf = (number: string) => ({
  paymentMethod: { card: { number, expirationDate: '03/30', securityCode: '100' } },
});

/** A payment with the fields for tests of authentication. */
export type Shown = NonNullable<Payload['transaction']> & {
  readonly approvalUrl: string | null;
  readonly approvalExpiresAt: string | null;
  readonly errorCode: string | null;
  readonly threeDSecure: Readonly<Record<string, unknown>> | null;
  readonly attempts: readonly { readonly status: string; readonly errorCode: string | null }[];
  /** The entries of the payment's history, oldest first. */
  readonly steps: readonly { readonly name: string; readonly context: Readonly<Record<string, unknown>> }[];
};

export type ThreeDSHarness = Harness & {
  /** Creates and returns a payment. Throws when the payment was refused. */
  pay(input?: Partial<CreateInput>, key?: string): Promise<Shown>;
  show(id: string): Promise<Shown>;
  /** Sets a sandbox rule for payments with this external identifier. */
  rule(externalIdentifier: string, outcome: Readonly<Record<string, unknown>>): Promise<void>;
  /** Changes the first payment service of the merchant account. */
  set(input: Readonly<Record<string, unknown>>): Promise<void>;
  /** Lists each payment service's setting for a buyer without authentication. */
  fallbacks(): Promise<readonly string[]>;
  /** Posts a decision on the page of a challenge. */
  say(payment: Pick<Shown, 'approvalUrl'>, reported: 'approved' | 'refused'): Promise<Response>;
};

const SHOWN = `{ id status intentOutcome authorizedAmount capturedAmount errorCode approvalUrl approvalExpiresAt
  cvvResponseCode threeDSecure { request amount method version status enrollment eci
    responseData { version cavv eci directoryResponse authenticationResponse directoryTransactionId xid cavvAlgorithm scheme }
    errorData { code component } }
  attempts { status errorCode } events { nodes { name context } } }`;

/** Adds a payment service with 3DS for a currency. */
export async function addThreeDSService(
  { ask, provider, server }: Pick<Harness, 'ask' | 'provider' | 'server'>,
  currency: string,
): Promise<void> {
  const id = await createService(server, provider.url, {
    ...{ definitionId: 'mockds-card', displayName: 'Cards with 3-D Secure', currencies: [currency] },
  });
  await ask(
    `mutation ($id: ID!) { payload: updatePaymentService(id: $id, input: { threeDSecureEnabled: true }) {
      userErrors { message } } }`,
    { id },
  );
}

/** Starts a server whose payment service has 3DS enabled. */
export async function startThreeDSHarness(
  options: Parameters<typeof startHarness>[1] = {},
): Promise<ThreeDSHarness> {
  const harness = await startHarness('mockds-card', options);
  const set: ThreeDSHarness['set'] = async (input) => {
    const { paymentServices } = await harness.ask<{ paymentServices: { nodes: { id: string }[] } }>(
      '{ paymentServices(last: 1) { nodes { id } } }',
    );
    const { payload } = await harness.ask<{ payload: { userErrors: unknown[] } }>(
      `mutation ($id: ID!, $input: UpdatePaymentServiceInput!) {
        payload: updatePaymentService(id: $id, input: $input) { userErrors { message } } }`,
      { id: paymentServices.nodes[0]?.id, input },
    );
    if (payload.userErrors.length > 0) throw new Error(JSON.stringify(payload.userErrors));
  };
  const show: ThreeDSHarness['show'] = async (id) => {
    const { transaction } = await harness.ask<{
      transaction: Shown & { readonly events: { readonly nodes: Shown['steps'] } };
    }>(`query ($id: ID!) { transaction(id: $id) ${SHOWN} }`, { id });
    return { ...transaction, steps: transaction.events.nodes.toReversed() };
  };
  await set({ threeDSecureEnabled: true });
  return {
    ...harness,
    set,
    show,
    pay: async (input = {}, key) => {
      const { transaction, userErrors } = await harness.create(input, key);
      if (!transaction) throw new Error(JSON.stringify(userErrors));
      return show(transaction.id);
    },
    rule: async (externalIdentifier, outcome) => {
      const { payload } = await harness.ask<{ payload: { userErrors: unknown[] } }>(
        `mutation ($input: CreateThreeDSScenarioInput!) {
          payload: createThreeDSScenario(input: $input) { userErrors { message } } }`,
        { input: { conditions: { externalIdentifier }, outcome } },
      );
      if (payload.userErrors.length > 0) throw new Error(JSON.stringify(payload.userErrors));
    },
    fallbacks: async () => {
      const { paymentServices } = await harness.ask<{
        paymentServices: { nodes: { threeDSecureFallback: string }[] };
      }>('{ paymentServices { nodes { threeDSecureFallback } } }');
      return paymentServices.nodes.map(({ threeDSecureFallback }) => threeDSecureFallback);
    },
    say: ({ approvalUrl }, reported) =>
      fetch(approvalUrl ?? '', {
        method: 'POST',
        body: new URLSearchParams({ decision: reported }),
        redirect: 'manual',
      }),
  };
}
