import { fetchDueSettlements } from '../../src/modules/settlements/index.ts';
import { createService, startHarness, type Harness, type HarnessOptions } from '../transactions/harness.ts';

/** An entry as the API shows it. */
export type Shown = {
  readonly id: string;
  readonly kind: string;
  readonly transaction: { readonly id: string } | null;
  readonly operationId: string | null;
  readonly operation: { readonly id: string; readonly kind: string } | null;
  readonly gross: number;
  readonly fee: number;
  readonly net: number;
  readonly currency: string;
  readonly paymentServiceSettlementId: string;
  readonly difference: Difference | null;
  readonly [field: string]: unknown;
};

export type Difference = {
  readonly id: string;
  readonly reason: string;
  readonly explanation: string | null;
  readonly explainedAt: string | null;
  readonly nextMatchAt: string | null;
};

export const DIFFERENCE = '{ id reason explanation explainedAt nextMatchAt }';
export const ENTRY = `{ id type kind transaction { id } operationId operation { id kind } dispute { id } paymentService { id } gross fee net currency
  originalAmount originalCurrency exchangeRate settledOn paymentServiceKind reportLine paymentServiceSettlementId paymentServicePayoutId
  difference ${DIFFERENCE} }`;

/** A harness whose payments in US dollars go to a service that settles. */
export type Settling = {
  readonly harness: Harness;
  readonly service: string;
  /** Fetches until nothing is due. */
  readonly drain: () => Promise<void>;
  /** Passes a day and two hours, so that the provider settles all, and fetches. */
  readonly nextDay: () => Promise<void>;
  /** Lists the entries of the account, the latest first. */
  readonly entries: (filter?: object) => Promise<readonly Shown[]>;
  readonly differences: (
    filter?: object,
  ) => Promise<readonly (Difference & { readonly settlement: Shown })[]>;
  /** Reads the state of fetching. */
  readonly reporting: (service?: string) => Promise<Reporting>;
  readonly setReporting: (enabled: boolean, service?: string) => Promise<void>;
};

export type Reporting = {
  readonly fetchedAt: string | null;
  readonly nextFetchAt: string;
  readonly failure: string | null;
  readonly failureReason: string | null;
  readonly failedAt: string | null;
} | null;

export const DAY_MS = 24 * 3_600_000;

export async function startSettling(options?: HarnessOptions): Promise<Settling> {
  const harness = await startHarness('mock-acquirer', options);
  const { server } = harness;
  const { body } = await server.graphql<{ paymentServices: { nodes: { id: string }[] } }>(
    '{ paymentServices { nodes { id } } }',
  );
  const service = body.data?.paymentServices.nodes[0]?.id ?? '';
  const drain = async (): Promise<void> => {
    while (await fetchDueSettlements(server.app));
  };
  const settling: Settling = {
    ...{ harness, service, drain },
    nextDay: async () => {
      await harness.pass(DAY_MS + 2 * 3_600_000);
      await drain();
    },
    entries: async (filter = {}) =>
      (
        await harness.ask<{ settlements: { nodes: readonly Shown[] } }>(
          `query ($filter: SettlementFilter) { settlements(filter: $filter, first: 100) { nodes ${ENTRY} } }`,
          { filter },
        )
      ).settlements.nodes,
    differences: async (filter = {}) =>
      (
        await harness.ask<{
          settlementDifferences: { nodes: readonly (Difference & { settlement: Shown })[] };
        }>(
          `query ($filter: SettlementDifferenceFilter) { settlementDifferences(filter: $filter, first: 100) {
            nodes { id reason explanation explainedAt nextMatchAt settlement ${ENTRY} } } }`,
          { filter },
        )
      ).settlementDifferences.nodes,
    reporting: async (id = service) =>
      (
        await harness.ask<{ paymentService: { settlementReporting: Reporting } }>(
          `query ($id: ID!) { paymentService(id: $id) { settlementReporting {
            fetchedAt nextFetchAt failure failureReason failedAt } } }`,
          { id },
        )
      ).paymentService.settlementReporting,
    setReporting: (enabled, id = service) => setReporting(harness, id, enabled),
  };
  await settling.setReporting(true);
  return settling;
}

async function setReporting(harness: Harness, id: string, enabled: boolean): Promise<void> {
  const { updatePaymentService: done } = await harness.ask<{
    updatePaymentService: { userErrors: object[] };
  }>(
    `mutation ($id: ID!, $enabled: Boolean) {
      updatePaymentService(id: $id, input: { settlementReportingEnabled: $enabled }) { userErrors { message } } }`,
    { id, enabled },
  );
  if (done.userErrors.length > 0) throw new Error(JSON.stringify(done));
}

/** Creates a further service that settles, for payments in a currency. */
export async function createSettlingService(
  { harness, setReporting: set }: Settling,
  currency: string,
  url: string,
): Promise<string> {
  const service = await createService(harness.server, url, {
    ...{ definitionId: 'mock-acquirer', currencies: [currency] },
  });
  await set(true, service);
  return service;
}

/** An entry of the fake provider: a charge of nothing that is known here. */
export const entryOnWire = (entry: object = {}) => ({
  ...{ id: 'st_1', type: 'charge', idempotency_key: null, reference: null, payment_id: null, dispute: null },
  ...{ payout: null, gross: 1000, fee: 30, net: 970, currency: 'USD', amount: null, original_currency: null },
  ...{ exchange_rate: null, settled_on: '2026-11-24' },
  ...entry,
});

/** A page of the fake provider. */
export const pageOnWire = (entries: readonly object[], cursor: string, more = false) => ({
  ...{ entries, cursor, more },
});
