import { CARDS } from '../payment-services/harness.ts';
import type { TestServer } from '../support/server.ts';

export type Input = Readonly<Record<string, unknown>>;

export type UserError = {
  readonly __typename: string;
  readonly code: string;
  readonly message: string;
  readonly path: readonly string[];
  readonly ruleCode?: string;
};

export type Warning = { readonly code: string; readonly rule: number; readonly message: string };

export type MadeVersion = {
  readonly version: { readonly id: string; readonly number: number; readonly rules: unknown } | null;
  readonly warnings: readonly Warning[];
  readonly userErrors: readonly UserError[];
};

export type Activated = {
  readonly activation: { readonly id: string } | null;
  readonly userErrors: readonly UserError[];
};

export type Traced = {
  readonly name: string;
  readonly holds: boolean;
  readonly conditions: readonly {
    readonly fact: string;
    readonly holds: boolean;
    readonly saw: string | null;
  }[];
};

export type Decision = {
  readonly version: { readonly id: string };
  readonly rule: number | null;
  readonly ruleName: string | null;
  readonly refusalCode: string | null;
  readonly draw: number | null;
  readonly share: number | null;
  readonly threeDSecureRequest: string | null;
  readonly rules: readonly Traced[] | null;
  readonly retries: readonly Retry[];
};

export type Retry = Pick<Decision, 'rule' | 'ruleName' | 'draw' | 'share'> & {
  readonly attempt: number;
  readonly conditions: Traced['conditions'] | null;
};

export type Paid = {
  readonly transaction: {
    readonly id: string;
    readonly status: string;
    readonly threeDSecure: { readonly request: string } | null;
    readonly routing: Decision | null;
    readonly attempts: readonly { readonly paymentService: { readonly id: string } }[];
  } | null;
  readonly userErrors: readonly (UserError & {
    readonly passedOver?: readonly { readonly codes: readonly string[] }[];
  })[];
};

const ERRORS =
  'userErrors { __typename code message path ... on RefusedByRoutingRule { ruleCode } ... on NoPaymentService { passedOver { codes } } }';

const CONDITIONS = 'conditions { fact holds saw }';

const DECISION = `{ version { id } rule ruleName refusalCode draw share threeDSecureRequest
  rules { name holds ${CONDITIONS} } retries { attempt rule ruleName draw share ${CONDITIONS} } }`;

const PAID = `{ id status threeDSecure { request } routing ${DECISION} attempts { paymentService { id } } }`;

const SERVICE = `mutation ($input: CreatePaymentServiceInput!) { answer: createPaymentService(input: $input) {
  paymentService { id } userErrors { message path } } }`;
const RULE_SET = `mutation ($input: CreateRoutingRuleSetInput!) { answer: createRoutingRuleSet(input: $input) {
  routingRuleSetId userErrors { message } } }`;
const VERSION = `mutation ($ruleSetId: ID!, $input: CreateRoutingRuleSetVersionInput!, $dryRun: Boolean! = false) {
  answer: createRoutingRuleSetVersion(ruleSetId: $ruleSetId, input: $input, dryRun: $dryRun) {
    version: routingRuleSetVersion { id number rules }
    warnings { code rule message } userErrors { __typename code message path } } }`;
const ACTIVATE = `mutation ($input: ActivateRoutingRuleSetInput!) { answer: activateRoutingRuleSet(input: $input) {
  activation: routingActivation { id activeFrom note version { id number } } userErrors { __typename code message path } } }`;
const PAY = `mutation ($input: CreateTransactionInput!, $key: String) {
  answer: createTransaction(input: $input, idempotencyKey: $key) { transaction ${PAID} ${ERRORS} } }`;
const EXPLAIN = `query ($input: ExplainRoutingInput!) { answer: explainRouting(input: $input) {
  message candidateCount candidates { paymentService { id } message } decision ${DECISION} } }`;

export type Explained = {
  readonly message: string;
  readonly candidateCount: number;
  readonly candidates: readonly {
    readonly paymentService: { readonly id: string };
    readonly message: string;
  }[];
  readonly decision: Decision | null;
};

/** A merchant account with three services by position, and helpers for its rules. */
export type Shop = {
  readonly id: string;
  readonly token: string;
  /** The ids of the services, by position. */
  readonly services: readonly [first: string, second: string, third: string];
  readonly ruleSetId: string;
  /** Sends a document. Throws on an error. */
  ask<Answer>(document: string, variables?: Input): Promise<Answer>;
  makeVersion(rules: readonly Input[], options?: { readonly dryRun: boolean }): Promise<MadeVersion>;
  /** Makes a version of these rules and activates it at once. Returns the id of the version. */
  follow(...rules: readonly Input[]): Promise<string>;
  activate(input: Input): Promise<Activated>;
  pay(input?: Input, key?: string): Promise<Paid>;
  /** Pays, and returns the places of the asked services, from 1. */
  asked(input?: Input): Promise<readonly number[]>;
  explain(input?: Input): Promise<Explained>;
  transaction(id: string): Promise<Paid['transaction']>;
};

export const CARD = { number: '4111111111111111', expirationDate: '03/30' };

const PAYMENT = { amount: 1299, currency: 'USD', country: 'US', paymentMethod: { card: CARD } };

export async function openShop(
  server: TestServer,
  services: readonly [Input, Input, Input] = [{}, {}, {}],
): Promise<Shop> {
  const { id, token } = await server.createMerchantAccount();
  const ask: Shop['ask'] = async <Answer>(document: string, variables: Input = {}) => {
    const { body } = await server.graphql<{ answer: Answer }>(document, variables, { token });
    if (!body.data) throw new Error(JSON.stringify(body.errors));
    return body.data.answer;
  };
  const ids: string[] = [];
  for (const [index, change] of services.entries()) {
    const input = { ...CARDS, displayName: `Service ${index + 1}`, position: index + 1, ...change };
    const made = await ask<{ paymentService: { id: string } | null; userErrors: unknown }>(SERVICE, {
      input,
    });
    if (!made.paymentService) throw new Error(JSON.stringify(made.userErrors));
    ids.push(made.paymentService.id);
  }
  const [first = '', second = '', third = ''] = ids;
  const { routingRuleSetId: ruleSetId } = await ask<{ routingRuleSetId: string }>(RULE_SET, {
    input: { name: 'Cards' },
  });
  const makeVersion: Shop['makeVersion'] = (rules, { dryRun } = { dryRun: false }) =>
    ask(VERSION, { ruleSetId, input: { rules }, dryRun });
  const activate: Shop['activate'] = (input) => ask(ACTIVATE, { input });
  const pay: Shop['pay'] = (input = {}, key) => ask(PAY, { input: { ...PAYMENT, ...input }, key });
  return {
    ...{ id, token, ask, ruleSetId, makeVersion, activate, pay },
    services: [first, second, third],
    follow: async (...rules) => {
      const { version, userErrors } = await makeVersion(rules);
      if (!version) throw new Error(JSON.stringify(userErrors));
      await activate({ versionId: version.id });
      return version.id;
    },
    asked: async (input) => {
      const { transaction, userErrors } = await pay(input);
      if (!transaction) throw new Error(JSON.stringify(userErrors));
      return transaction.attempts.map(({ paymentService }) => ids.indexOf(paymentService.id) + 1);
    },
    explain: (input = {}) =>
      ask(EXPLAIN, { input: { currency: 'USD', country: 'US', amount: 1299, ...input } }),
    transaction: (transactionId) =>
      ask(`query ($id: ID!) { answer: transaction(id: $id) ${PAID} }`, { id: transactionId }),
  };
}
