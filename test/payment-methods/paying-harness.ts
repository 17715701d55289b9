import type { SimulatorRequest } from '../../src/connectors/sandbox/simulator/simulator.ts';
import { documented } from '../events/payload-faults.ts';
import { createService, startHarness, type Harness, type HarnessOptions } from '../transactions/harness.ts';
import type { Shown, UserError } from './stored-harness.ts';
import { relayAll } from '../support/relay-all.ts';

export const CARD = { number: '4111 1111 1111 1111', expirationDate: '12/40', securityCode: '100' };

/** The input of a payment that continues a series. */
export const RECURRING = {
  paymentSource: 'RECURRING',
  merchantInitiated: true,
  isSubsequentPayment: true,
} as const;

const METHOD = `id status method instrumentType lastFour expirationDate scheme fingerprint buyer { id } usageCount lastUsedAt
  citUsageCount citLastUsedAt schemeTransactionId schemeTransactionIdScheme country currency updatedAt`;
const TRANSACTION = `id status store method instrumentType buyerId buyer { displayName externalIdentifier }
  card { scheme bin lastFour expirationDate fingerprint } paymentMethod { ${METHOD} } schemeTransactionId errorCode country
  redirectUrl approvalUrl paymentService { id } authorizedAt`;
const ERRORS = `userErrors { __typename code message path ... on IdempotencyKeyReused { differingPaths }
  ... on NoPaymentService { passedOver { paymentService { id } codes } } } replayed`;

export type Paid = {
  readonly transaction: {
    readonly id: string;
    readonly status: string;
    readonly paymentMethod: Shown | null;
    readonly [field: string]: unknown;
  } | null;
  readonly userErrors: readonly (UserError & { readonly differingPaths?: readonly string[] })[];
  readonly replayed: boolean;
};
export type Input = Readonly<Record<string, unknown>>;

/** Payments with stored methods, at a fake provider. */
export type PayingHarness = Harness & {
  pay(input: Input, options?: { readonly key?: string; readonly token?: string }): Promise<Paid>;
  /** Pays and throws when the payment is refused. */
  paid(input: Input, key?: string): Promise<NonNullable<Paid['transaction']>>;
  show(id: string): Promise<NonNullable<Paid['transaction']>>;
  store(input: Input): Promise<Shown>;
  method(id: string): Promise<Shown | null>;
  remove(id: string): Promise<void>;
  buyer(input: Input): Promise<string>;
  /** Adds another service of the same provider, after the first. */
  service(definitionId: string): Promise<string>;
  /** Lists the names of the events about a payment method, in order. */
  notified(id: string): Promise<readonly string[]>;
  /** Lists the authorisations at the provider since the last call. */
  requested(): readonly SimulatorRequest[];
};

export async function startPayingHarness(
  definitionId = 'mockds-card',
  options?: HarnessOptions,
): Promise<PayingHarness> {
  const harness = await startHarness(definitionId, options);
  const { server, provider } = harness;
  const ask = async <Data>(document: string, variables: Input): Promise<Data> =>
    (await harness.ask<{ answer: Data }>(document, variables)).answer;
  const pay: PayingHarness['pay'] = async (input, { key, token } = {}) => {
    const variables = { input: { amount: 1299, currency: 'USD', ...input }, key };
    if (token === undefined) return ask<Paid>(PAY, variables);
    const { body } = await server.graphql<{ answer: Paid }>(PAY, variables, { token });
    if (!body.data) throw new Error(JSON.stringify(body.errors));
    return body.data.answer;
  };
  let seen = 0;
  return {
    ...harness,
    pay,
    paid: async (input, key) => {
      const { transaction, userErrors } = await pay(input, key === undefined ? {} : { key });
      if (!transaction) throw new Error(JSON.stringify(userErrors));
      return transaction;
    },
    show: (id) => ask(`query ($id: ID!) { answer: transaction(id: $id) { ${TRANSACTION} } }`, { id }),
    store: async (input) => {
      const made = await ask<{ paymentMethod: Shown | null; userErrors: unknown }>(STORE, { input });
      if (!made.paymentMethod) throw new Error(JSON.stringify(made.userErrors));
      return made.paymentMethod;
    },
    method: (id) => ask(`query ($id: ID!) { answer: paymentMethod(id: $id) { ${METHOD} } }`, { id }),
    remove: async (id) => {
      await ask(`mutation ($id: ID!) { answer: deletePaymentMethod(id: $id) { deletedId } }`, { id });
    },
    buyer: async (input) => {
      const made = await ask<{ buyer: { id: string } }>(BUYER, { input });
      return made.buyer.id;
    },
    service: (definition) => createService(server, provider.url, { definitionId: definition }),
    notified: async (id) => {
      await relayAll(server.app);
      const where = { targetType: 'payment-method', targetId: id };
      const rows = await server.app.db.prisma.event.findMany({ where, orderBy: { position: 'asc' } });
      return documented(rows).map(({ name }) => name);
    },
    requested: () => {
      const calls = provider.calls.slice(seen).filter(({ operation }) => operation === 'authorize');
      seen = provider.calls.length;
      return calls;
    },
  };
}

const PAY = `mutation ($input: CreateTransactionInput!, $key: String) {
  answer: createTransaction(input: $input, idempotencyKey: $key) { transaction { ${TRANSACTION} } ${ERRORS} } }`;
const STORE = `mutation ($input: StorePaymentMethodInput!) {
  answer: storePaymentMethod(input: $input) { paymentMethod { ${METHOD} } userErrors { message path } } }`;
const BUYER = `mutation ($input: CreateBuyerInput!) { answer: createBuyer(input: $input) { buyer { id } } }`;

/** Returns the input for paying with a stored method. */
export const stored = (id: string, securityCode?: string): Input => ({
  paymentMethod: { stored: { id, ...(securityCode !== undefined && { securityCode }) } },
});
