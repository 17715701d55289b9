import { connectors } from '../../src/connectors/index.ts';
import { startFakeAntiFraud, type FakeAntiFraud } from '../support/fake-anti-fraud.ts';
import type { CreateInput, Harness } from './harness.ts';
import { inboxAt } from './inbox.ts';

/** A payment as tests of anti-fraud decisions look at it. */
export type Shown = {
  readonly id: string;
  readonly status: string;
  readonly intentOutcome: string;
  readonly authorizedAmount: number;
  readonly capturedAmount: number;
  readonly errorCode: string | null;
  readonly antiFraudDecision: string | null;
  readonly pendingReview: boolean;
  readonly reviewOutcome: string | null;
  readonly antiFraudService: { readonly id: string } | null;
  /** Its history, oldest first. */
  readonly steps: readonly { readonly name: string; readonly context: Readonly<Record<string, unknown>> }[];
  readonly [field: string]: unknown;
};

export type Resolved = {
  readonly transaction: Shown | null;
  readonly operation: { readonly id: string; readonly kind: string; readonly status: string } | null;
  readonly userErrors: readonly { readonly __typename: string; readonly message: string }[];
  readonly replayed: boolean;
};

/** Sentences about a merchant account whose payments a third party of the test's own judges. */
export type FraudHouse = {
  readonly thirdParty: FakeAntiFraud;
  readonly serviceId: string;
  /** Makes a payment whose buyer's address says how it is judged, such as `review`, and shows it. */
  pay(said: string, input?: Partial<CreateInput>, key?: string): Promise<Shown>;
  show(id: string): Promise<Shown>;
  resolve(id: string, input: Readonly<Record<string, unknown>>, key?: string): Promise<Resolved>;
  /** Changes the anti-fraud service. */
  set(input: Readonly<Record<string, unknown>>): Promise<void>;
  /** Posts a webhook of the third party, signed unless said otherwise; the answer is the status. */
  tell(said: Readonly<Record<string, unknown>>, secret?: string | null): Promise<number>;
  close(): Promise<void>;
};

const SHOWN = `{ id status intentOutcome amount authorizedAmount capturedAmount errorCode antiFraudDecision pendingReview
  reviewOutcome antiFraudServiceId antiFraudService { id } capturable { amount } approvalUrl
  attempts { status errorCode paymentService { id } } events { nodes { name context } } }`;

const SECRET = 'the third party and we know it';

/** What the address of a buyer says to the third party. */
export const buyerOf = (said: string) => ({
  buyer: { billingDetails: { emailAddress: `${said}@shop.example` } },
});

export async function openFraudHouse(house: Pick<Harness, 'ask' | 'create'>): Promise<FraudHouse> {
  const thirdParty = await startFakeAntiFraud();
  const run = async <Answer>(document: string, variables: Readonly<Record<string, unknown>>) =>
    (await house.ask<{ answer: Answer }>(document, variables)).answer;
  const input = {
    ...{ displayName: 'Checks', antiFraudServiceDefinitionId: 'mock-anti-fraud' },
    fields: [
      { key: 'merchant_id', value: 'm-1' },
      { key: 'api_url', value: thirdParty.url },
      { key: 'webhook_secret', value: SECRET },
    ],
  };
  const { antiFraudService: made } = await run<{
    antiFraudService: { id: string; webhookUrl: string } | null;
  }>(
    `mutation ($input: CreateAntiFraudServiceInput!) {
      answer: createAntiFraudService(input: $input) { antiFraudService { id webhookUrl } userErrors { message } } }`,
    { input },
  );
  if (!made) throw new Error('The anti-fraud service was refused.');
  const show: FraudHouse['show'] = async (id) => {
    const found = await run<Shown & { readonly events: { readonly nodes: Shown['steps'] } }>(
      `query ($id: ID!) { answer: transaction(id: $id) ${SHOWN} }`,
      { id },
    );
    return { ...found, steps: found.events.nodes.toReversed() };
  };
  return {
    thirdParty,
    serviceId: made.id,
    show,
    pay: async (said, more = {}, key) => {
      const { transaction, userErrors } = await house.create({ ...buyerOf(said), ...more }, key);
      if (!transaction) throw new Error(JSON.stringify(userErrors));
      return show(transaction.id);
    },
    resolve: (id, decision, key) =>
      run(
        `mutation ($id: ID!, $input: ResolveReviewInput!, $key: String) {
          answer: resolveReview(id: $id, input: $input, idempotencyKey: $key) {
            operation { id kind status } transaction ${SHOWN} userErrors { __typename message } replayed } }`,
        { id, input: decision, key },
      ),
    set: async (change) => {
      const { userErrors } = await run<{ userErrors: unknown[] }>(
        `mutation ($id: ID!, $input: UpdateAntiFraudServiceInput!) {
          answer: updateAntiFraudService(id: $id, input: $input) { userErrors { message } } }`,
        { id: made.id, input: change },
      );
      if (userErrors.length > 0) throw new Error(JSON.stringify(userErrors));
    },
    tell: (said, secret = SECRET) => inboxAt(made.webhookUrl).tell(said, secret ?? undefined),
    close: () => thirdParty.close(),
  };
}

/** What the third party tells in version 2.1 of how a review has ended. */
export const told21 = (key: string, decision: 'A' | 'D', comment?: string) => ({
  version: '2.1',
  check_ref: key,
  check_id: 'chk_1',
  decision,
  comment,
});

/** The same in version 10.2. */
export const told102 = (requestId: string, verdict: 'APPROVED' | 'DECLINED', eventId: string) => ({
  apiVersion: '10.2',
  ...{ eventId, requestId, occurredAt: '2026-01-01T00:00:00Z' },
  assessment: { id: 'chk_1', verdict },
});

/** The connectors of the sandbox, where `mock-card` captures at once. */
export const withSaleOnly = connectors.map((connector) => ({
  ...connector,
  definitions: connector.definitions.map((definition) =>
    definition.id === 'mock-card'
      ? { ...definition, supportedFeatures: { ...definition.supportedFeatures, delayed_capture: false } }
      : definition,
  ),
}));
