import type {
  PaymentService,
  PaymentServiceDefinition,
  UpdatePaymentServiceInput,
} from '../../../client/generated/schema.ts';
import type { Answer } from '../../../client/operations/selection.ts';
import { api } from '../../app/data/api.ts';
import { pageOf, readAll, rowsOf } from '../../app/data/pages.ts';
import { FIELD } from '../connection/values.ts';
import { readRows } from '../home/query.ts';
import { spansOf } from '../home/span.ts';
import { rate, refusals } from '../home/sums.ts';
import { readClock } from '../home/zone.ts';
import { inOrder, type Move } from './order.ts';

const ROW = {
  ...{ id: true, displayName: true, method: true, position: true, active: true, status: true },
  ...{ isDeleted: true, acceptedCurrencies: true, acceptedCountries: true },
  ...{ paymentServiceDefinitionId: true },
  definition: { displayName: true },
  circuit: { openedAt: true, tryAgainAt: true },
} as const;

/** A payment service of the list. */
export type Row = Answer<PaymentService, typeof ROW>;

/** Lists the methods, the one of the first service first. */
export const methodsOf = (rows: readonly Row[]): readonly string[] => [
  ...new Set(rows.map(({ method }) => method)),
];

/** The share of a service's authorisations that succeeded, 0 to 1, and their number. */
export type Success = { readonly share: number; readonly attempts: number };

/** The days that the success of services counts. */
const SUCCESS_SPAN = '7d';

/** Reads all payment services in the order of routing. */
const readServices = async (signal: AbortSignal): Promise<readonly Row[]> =>
  inOrder(
    await readAll(signal, async ({ after }) => {
      const wanted = [{ first: 100, after }, pageOf(ROW)] as const;
      return rowsOf((await api.query({ paymentServices: wanted }, { signal })).paymentServices);
    }),
  );

/** Reads the success of each service by its id, over seven days. A service without an authorisation is left out. */
export async function readSuccess(signal: AbortSignal): Promise<ReadonlyMap<string, Success>> {
  const clock = readClock(null);
  const { span } = spansOf(SUCCESS_SPAN, new Date(), clock);
  const rows = await readRows(span, { timeZone: clock.zone, groupBy: 'PAYMENT_SERVICE' }, signal);
  const byService = Map.groupBy(rows, ({ value }) => value ?? '');
  return new Map(
    [...byService].flatMap(([id, mine]) => {
      const share = rate(mine);
      const attempts = mine.reduce((sum, row) => sum + row.authorized.count + refusals(row), 0);
      return share === null ? [] : [[id, { share, attempts }] as const];
    }),
  );
}

/** Reads everything of the list. The success needs a scope of its own. */
export async function readList(withSuccess: boolean, signal: AbortSignal) {
  const [services, success] = await Promise.all([
    readServices(signal),
    withSuccess ? readSuccess(signal) : new Map<string, Success>(),
  ]);
  return { services, success };
}

const DEFINITION = {
  ...{ id: true, displayName: true, method: true, supportedCurrencies: true, supportedCountries: true },
  fields: FIELD,
  reportingFields: FIELD,
  supportedFeatures: { name: true, supported: true },
  sandboxOnly: true,
  package: { name: true, version: true },
} as const;

/** A kind of payment service. */
export type Definition = Answer<PaymentServiceDefinition, typeof DEFINITION>;

/** Reads all kinds of payment services. */
export const readDefinitions = async (signal: AbortSignal): Promise<readonly Definition[]> =>
  (await api.query({ paymentServiceDefinitions: DEFINITION }, { signal })).paymentServiceDefinitions;

/** Tells whether a definition has a feature. */
export const hasFeature = ({ supportedFeatures }: Definition, name: string): boolean =>
  supportedFeatures.some((feature) => feature.name === name && feature.supported);

const SERVICE = {
  ...ROW,
  ...{ statusReason: true, statusCheckedAt: true, webhookUrl: true, createdAt: true, updatedAt: true },
  ...{ threeDSecureEnabled: true, threeDSecureFallback: true, openLoop: true, networkTokensEnabled: true },
  ...{ paymentMethodTokenizationEnabled: true, settlementReportingEnabled: true },
  fields: { key: true, value: true },
  reportingFields: { key: true, value: true },
  merchantProfile: {
    ...{ scheme: true, merchantName: true, merchantUrl: true, merchantAcquirerBin: true },
    ...{ merchantAcquirerId: true, merchantCountryCode: true, merchantCategoryCode: true },
  },
  definition: DEFINITION,
} as const;

/** A payment service of its page. */
export type Service = Answer<PaymentService, typeof SERVICE>;

/** Reads a payment service. Null without such a service. */
export const readService = async (id: string, signal: AbortSignal): Promise<Service | null> =>
  (await api.query({ paymentService: [{ id }, SERVICE] }, { signal })).paymentService;

/** Changes a payment service. */
export const updateService = (id: string, input: UpdatePaymentServiceInput) =>
  api.mutate({ updatePaymentService: [{ id, input }, { paymentService: { id: true } }] });

/** Gives services their new positions, one after the other. */
export async function saveOrder(moves: readonly Move[]): Promise<void> {
  // Routing rules will replace the positions. Until then, they are the only order.
  // oxlint-disable-next-line typescript/no-deprecated
  for (const { id, position } of moves) await updateService(id, { position });
}
