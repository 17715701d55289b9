import { sandboxConnectors } from '../support/sandbox-connectors.ts';
import { startFakeAntiFraud, type FakeAntiFraud } from '../support/fake-anti-fraud.ts';
import type { CreateInput, Harness } from './harness.ts';
import { inboxAt } from './inbox.ts';

/** A payment with the fields for anti-fraud tests. */
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
  /** The history of the payment, oldest first. */
  readonly steps: readonly { readonly name: string; readonly context: Readonly<Record<string, unknown>> }[];
  readonly [field: string]: unknown;
};

export type Resolved = {
  readonly transaction: Shown | null;
  readonly operation: { readonly id: string; readonly kind: string; readonly status: string } | null;
  readonly userErrors: readonly { readonly __typename: string; readonly message: string }[];
  readonly replayed: boolean;
};

/** Helpers for a merchant account with a fake anti-fraud service. */
export type FraudHarness = {
  readonly thirdParty: FakeAntiFraud;
  readonly serviceId: string;
  /** Creates and returns a payment. The buyer's address names the verdict, such as `review`. */
  pay(reported: string, input?: Partial<CreateInput>, key?: string): Promise<Shown>;
  show(id: string): Promise<Shown>;
  resolve(id: string, input: Readonly<Record<string, unknown>>, key?: string): Promise<Resolved>;
  /** Changes the anti-fraud service. */
  set(input: Readonly<Record<string, unknown>>): Promise<void>;
  /** Posts a webhook of the anti-fraud service, signed by default. Returns the status. */
  tell(reported: Readonly<Record<string, unknown>>, secret?: string | null): Promise<number>;
  close(): Promise<void>;
};

const SHOWN = `{ id status intentOutcome amount authorizedAmount capturedAmount errorCode antiFraudDecision pendingReview
  reviewOutcome antiFraudServiceId antiFraudService { id } capturable { amount } approvalUrl
  attempts { status errorCode paymentService { id } } events { nodes { name context } } }`;

const SECRET = 'the third party and we know it';

/** Returns a buyer whose address names the verdict. */
export const buyerOf = (reported: string) => ({
  buyer: { billingDetails: { emailAddress: `${reported}@shop.example` } },
});

export async function openFraudHarness(harness: Pick<Harness, 'ask' | 'create'>): Promise<FraudHarness> {
  const thirdParty = await startFakeAntiFraud();
  const run = async <Answer>(document: string, variables: Readonly<Record<string, unknown>>) =>
    (await harness.ask<{ answer: Answer }>(document, variables)).answer;
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
  const show: FraudHarness['show'] = async (id) => {
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
    pay: async (reported, more = {}, key) => {
      const { transaction, userErrors } = await harness.create({ ...buyerOf(reported), ...more }, key);
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
    tell: (reported, secret = SECRET) => inboxAt(made.webhookUrl).tell(reported, secret ?? undefined),
    close: () => thirdParty.close(),
  };
}

/** Returns the notice of an ended review in version 2.1. */
export const told21 = (key: string, decision: 'A' | 'D', comment?: string) => ({
  version: '2.1',
  check_ref: key,
  check_id: 'chk_1',
  decision,
  comment,
});

/** Returns the notice of an ended review in version 10.2. */
export const told102 = (requestId: string, verdict: 'APPROVED' | 'DECLINED', eventId: string) => ({
  apiVersion: '10.2',
  ...{ eventId, requestId, occurredAt: '2026-01-01T00:00:00Z' },
  assessment: { id: 'chk_1', verdict },
});

/** The sandbox's connectors with an immediate capture for `mock-card`. */
export const withSaleOnly = sandboxConnectors.map((connector) => ({
  ...connector,
  definitions: connector.definitions.map((definition) =>
    definition.id === 'mock-card'
      ? { ...definition, supportedFeatures: { ...definition.supportedFeatures, delayed_capture: false } }
      : definition,
  ),
}));
