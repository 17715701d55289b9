import { reportDue } from '../../src/modules/transactions/index.ts';
import type { ForterShop } from '../connectors/forter/shop.ts';
import { relayAll } from '../support/relay-all.ts';

/** Helpers for reports to the anti-fraud service of a shop. */
export type Reports = {
  /** Moves all events into the feed, and makes the reports that are due. The first claim of a service adds its place. */
  report(): Promise<void>;
  /** Pays with a buyer at this address. Returns the id of the payment. */
  pay(name?: string, input?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Returns what Forter heard of a payment, in order. */
  heard(id: string): readonly string[];
  /** Reads the place of the shop's own service. */
  place(): Promise<{ readonly sequence: bigint; readonly attempts: number }>;
};

export const reportsOf = ({ harness, double, service }: ForterShop): Reports => ({
  report: async () => {
    const { app } = harness.server;
    await relayAll(app);
    for (let round = 0; round < 3; round++) await reportDue(app);
  },
  pay: async (name = 'approve', input = {}) => {
    const buyer = { billingDetails: { emailAddress: `${name}@forter.com` } };
    const { transaction, userErrors } = await harness.create({ buyer, ...input });
    if (!transaction) throw new Error(JSON.stringify(userErrors));
    return transaction.id;
  },
  heard: (id) =>
    double
      .reports(id)
      .map((told) =>
        'updatedStatus' in told ? `${told.updatedStatus} ${told.updatedMerchantStatus}` : told.status,
      ),
  place: () =>
    harness.server.app.db.prisma.antiFraudReport.findFirstOrThrow({
      where: { antiFraudServiceId: service.id },
    }),
});
