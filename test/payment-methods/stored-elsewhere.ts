import { openProviderToken } from '../../src/modules/payment-methods/index.ts';
import { applyAfter } from '../transactions/inbox.ts';
import { postWebhooks, type DoubleWebhook } from '../connectors/double-server.ts';
import type { Service } from '../connectors/kit/service.ts';
import { CARD, RECURRING, stored, type Input, type PayingHarness } from './paying-harness.ts';

/** Longer than the storing process owns a webhook. */
const APPLIED_MS = 12_000;

/** The words of the tests about cards that change at a provider. */
export const storedAt = (harness: PayingHarness, service: () => Service) => {
  const { prisma } = harness.server.app.db;
  const money = () => ({ amount: 1299, currency: 'EUR', paymentServiceId: service().id });
  const tokenOf = (paymentMethodId: string): Promise<string | null> =>
    openProviderToken(harness.server.app, {
      ...{ merchantAccountId: 'default', paymentMethodId, paymentServiceId: service().id },
    });
  return {
    tokenOf,
    /** Pays with a new card, and stores the card. Returns the id of the payment method. */
    store: async (input: Input = {}): Promise<string> => {
      const paid = await harness.paid({ ...money(), paymentMethod: { card: CARD }, store: true, ...input });
      return paid.paymentMethod?.id ?? '';
    },
    /** Continues a series without the buyer. */
    charge: (id: string) => harness.pay({ ...money(), ...stored(id), ...RECURRING }),
    /** Posts webhooks, and applies those that waited. Returns the statuses of the answers. */
    deliver: async (
      webhooks: readonly DoubleWebhook[],
      { url = service().webhookUrl, passMs = APPLIED_MS } = {},
    ): Promise<readonly number[]> => {
      const statuses = await postWebhooks(url, webhooks);
      await applyAfter(harness, passMs);
      return statuses;
    },
    /** Lists the states of the stored webhooks, oldest first. */
    states: async (): Promise<readonly string[]> =>
      (await prisma.inboundWebhook.findMany({ orderBy: { id: 'asc' } })).map(({ state }) => state),
    /** Lists the entries of the audit log about a payment method. */
    entries: (id: string) => prisma.auditEntry.findMany({ where: { targetId: id }, orderBy: { id: 'asc' } }),
    /** Lists the names of the events about a payment method since its creation. */
    told: async (id: string): Promise<readonly string[]> => (await harness.notified(id)).slice(2),
  };
};
