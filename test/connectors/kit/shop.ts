import { afterAll, expect } from '@jest/globals';
import type { Connector } from '../../../src/connectors/interface/connector.ts';
import { startPayingHarness } from '../../payment-methods/paying-harness.ts';
import { sandboxConnectors } from '../../support/sandbox-connectors.ts';
import { createShiftedClock } from '../../support/shifted-clock.ts';
import { CARD, type HarnessOptions } from '../../transactions/harness.ts';
import { applyAfter } from '../../transactions/inbox.ts';
import { postWebhooks, type DoubleWebhook } from '../double-server.ts';
import { connect } from './service.ts';

/** A double over HTTP, with the connector that calls the double. */
export type StartedDouble = {
  readonly double: { webhooks(): readonly DoubleWebhook[] };
  readonly connector: Connector;
  /** The definition of a payment service at the double, and its fields. */
  readonly definition: string;
  readonly fields: Readonly<Record<string, string>>;
  close(): Promise<void>;
};

type ShopOptions = Omit<HarnessOptions, 'connectors'> & {
  /** Further fields of the payment service. */
  readonly fields?: Readonly<Record<string, string>>;
};

/** Longer than the storing process owns a webhook. */
const APPLIED_MS = 12_000;

/**
 * Starts a running service with a payment service at a double, for the tests of a file. A file awaits the shop before its first
 * test. The shop closes after the last one.
 */
export async function openShop<Started extends StartedDouble>(
  start: (now: () => Date) => Promise<Started>,
  { fields = {}, clock = createShiftedClock(), ...options }: ShopOptions = {},
) {
  const started = await start(() => clock.now());
  const connectors = [...sandboxConnectors, started.connector];
  const harness = await startPayingHarness('mock-card', { clock, connectors, ...options });
  const service = await connect(harness, started.definition, { ...started.fields, ...fields });
  afterAll(async () => {
    await harness.stop();
    await started.close();
  });
  const { double } = started;
  const { prisma } = harness.server.app.db;
  return {
    ...{ harness, prisma, service, fields: started.fields },
    double: double as Started['double'],
    /** Pays 12.99 EUR at the double, and takes the webhooks of the payment. Returns our id, and the provider's. */
    paid: async (input: Readonly<Record<string, unknown>> = {}) => {
      const { transaction } = await harness.create({
        ...{ amount: 1299, currency: 'EUR', paymentMethod: { card: CARD }, paymentServiceId: service.id },
        ...input,
      });
      if (!transaction) throw new Error('No transaction was made');
      double.webhooks();
      const { id, status, paymentServiceTransactionId } = transaction;
      return { id, status, payment: String(paymentServiceTransactionId) };
    },
    /** Delivers webhooks, at least one, and applies those that waited. */
    deliver: async (webhooks: readonly DoubleWebhook[] = double.webhooks(), passMs = APPLIED_MS) => {
      expect(new Set(await postWebhooks(service.webhookUrl, webhooks))).toEqual(new Set([200]));
      await applyAfter(harness, passMs);
    },
    /** Returns the money of a payment, as the merchant sees it. */
    money: async (id: string): Promise<unknown> =>
      (await harness.ask<{ transaction: unknown }>(MONEY, { id })).transaction,
  };
}

const MONEY = `query ($id: ID!) { transaction(id: $id) { status capturedAmount refundedAmount errorCode
  refundable { amount } capturable { amount }
  captures { amount origin } refunds { amount origin status paymentServiceRefundId } } }`;
