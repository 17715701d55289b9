import { randomUUID } from 'node:crypto';
import { historyOf } from './unresolved.ts';
import {
  createService,
  startHarness,
  type CreateInput,
  type Harness,
  type HarnessOptions,
} from './harness.ts';
import { ended, inboundRows, inboxOf, type Inbox, type Reported } from './inbox.ts';

/** More than any refund. */
const WHOLE = 100_000_000;

export const SECRET = 'whs_take_backs_of_the_test';

/** A harness whose payments in euros go to a service with signed webhooks. */
export type TakeBacks = {
  readonly harness: Harness;
  readonly inbox: Inbox;
  /** Creates a payment in euros and returns its id. */
  pay(input?: Partial<CreateInput>): Promise<string>;
  /** Posts a signed webhook and returns the status of the answer. */
  post(reported: Reported, secret?: string): Promise<number>;
  /** Posts a signed webhook, waits until it has ended, and returns its end state. */
  tell(reported: Reported): Promise<string>;
  /** Returns the newest operation of a kind, with its key at the provider. */
  operation(transactionId: string, kind: string): Promise<OperationRow>;
  /** Reads the money of a payment and its captures and refunds, through the API. */
  money(transactionId: string): Promise<unknown>;
  /** Reads the ledger of a payment: kind and amount, oldest first. */
  ledger(transactionId: string): Promise<readonly string[]>;
  /** Reads the findings of the webhooks of a payment, oldest first. */
  findings(transactionId: string): Promise<readonly unknown[]>;
};

type OperationRow = {
  readonly id: string;
  readonly key: string;
  readonly status: string;
  readonly providerReference: string | null;
};

const MONEY = `query ($id: ID!) { transaction(id: $id) {
  status capturedAmount captureReversedAmount refundedAmount refundReversedAmount errorCode expiredAt
  capturable { amount } refundable { amount }
  captures { amount status reversedAmount reversedAt reversalCode }
  refunds { amount status reversedAmount reversedAt reversalCode } } }`;

export async function startTakeBacks(options?: HarnessOptions): Promise<TakeBacks> {
  const harness = await startHarness('mock-acquirer', options);
  const service = await createService(harness.server, harness.provider.url, {
    definitionId: 'mock-acquirer',
    currencies: ['EUR'],
    webhookSecret: SECRET,
  });
  const inbox = await inboxOf(harness, service);
  const { prisma } = harness.server.app.db;
  const post: TakeBacks['post'] = (reported, secret = SECRET) => {
    const { event, idempotency_key: key, amount = WHOLE } = reported;
    if (event === 'refund.reversed') harness.provider.hasReversed(String(key), Number(amount));
    return inbox.tell({ id: randomUUID(), ...reported }, secret);
  };
  return {
    harness,
    inbox,
    post,
    pay: async (input = {}) => {
      const { transaction } = await harness.create({
        amount: 1000,
        currency: 'EUR',
        country: 'DE',
        ...input,
      });
      if (!transaction) throw new Error('No transaction was made');
      return transaction.id;
    },
    tell: async (reported) => {
      const before = (await inboundRows(harness)).filter(({ state }) => state !== 'parked').length;
      const status = await post(reported);
      if (status !== 200) throw new Error(`The webhook was answered ${status}`);
      return ended(harness, before + 1);
    },
    operation: async (transactionId, kind) => {
      const found = await prisma.operation.findFirstOrThrow({
        where: { transactionId, kind },
        orderBy: { id: 'desc' },
      });
      return { ...found, key: found.providerKey ?? found.id };
    },
    money: async (id) => (await harness.ask<{ transaction: unknown }>(MONEY, { id })).transaction,
    ledger: async (transactionId) =>
      (await prisma.ledgerEntry.findMany({ where: { transactionId }, orderBy: { id: 'asc' } })).map(
        ({ kind, amount }) => `${kind} ${amount}`,
      ),
    findings: async (transactionId) =>
      (await historyOf(harness, transactionId))
        .filter(({ name }) => name === 'payment-connector-transaction-webhook-processed')
        .map(({ context }) => (context as { finding?: string }).finding ?? null),
  };
}
