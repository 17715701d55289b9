import type { Answer } from '../../../client/operations/selection.ts';
import type {
  AntiFraudService,
  AntiFraudServiceDefinition,
  CreateAntiFraudServiceInput,
  UpdateAntiFraudServiceInput,
} from '../../../client/generated/schema.ts';
import { api } from '../../app/api.ts';
import { PAGE_INFO, rowsOf, type Rows } from '../../app/pages.ts';
import { FIELD } from '../credentials/values.ts';

const ROW = {
  ...{ id: true, displayName: true, active: true, isDeleted: true, createdAt: true },
  ...{ antiFraudServiceDefinitionId: true, interfaceVersion: true },
  definition: { displayName: true },
} as const;

/** An anti-fraud service of the list. */
export type Row = Answer<AntiFraudService, typeof ROW>;

/** Reads a page of the list, newest service first. */
export async function readServices(after: string | null, signal: AbortSignal): Promise<Rows<Row>> {
  const { antiFraudServices } = await api.query(
    {
      antiFraudServices: [
        { first: 20, after },
        { nodes: ROW, pageInfo: PAGE_INFO },
      ],
    },
    { signal },
  );
  return rowsOf(antiFraudServices);
}

const HELD = {
  ...{ id: true, amount: true, currency: true, status: true, createdAt: true, pendingReview: true },
  ...{ capturedAmount: true, refundedAmount: true },
} as const;

/** Reads the latest payments that a review holds. */
export async function readHeld(signal: AbortSignal) {
  const { transactions } = await api.query(
    { transactions: [{ first: 10, filter: { pendingReview: true } }, { nodes: HELD }] },
    { signal },
  );
  return transactions.nodes;
}

const DEFINITION = {
  ...{ id: true, displayName: true, interfaceVersion: true, newerInterfaceVersion: true },
  fields: FIELD,
} as const;

/** A kind of anti-fraud service. */
export type Definition = Answer<AntiFraudServiceDefinition, typeof DEFINITION>;

/** Reads all kinds of anti-fraud services. */
export const readDefinitions = async (signal: AbortSignal): Promise<readonly Definition[]> =>
  (await api.query({ antiFraudServiceDefinitions: DEFINITION }, { signal })).antiFraudServiceDefinitions;

const SERVICE = {
  ...ROW,
  ...{ newerInterfaceEnabled: true, webhookUrl: true },
  fields: { key: true, value: true },
  definition: DEFINITION,
} as const;

/** An anti-fraud service of its page. */
export type Service = Answer<AntiFraudService, typeof SERVICE>;

/** Reads an anti-fraud service. Null without such a service. */
export const readService = async (id: string, signal: AbortSignal): Promise<Service | null> =>
  (await api.query({ antiFraudService: [{ id }, SERVICE] }, { signal })).antiFraudService;

/** Creates an anti-fraud service. Returns its id. */
export async function createService(
  input: CreateAntiFraudServiceInput,
  idempotencyKey: string,
): Promise<string> {
  const { createAntiFraudService: created } = await api.mutate({
    createAntiFraudService: [{ input, idempotencyKey }, { antiFraudServiceId: true }],
  });
  if (created.antiFraudServiceId === null) throw new Error('A service was neither created nor refused.');
  return created.antiFraudServiceId;
}

/** Changes an anti-fraud service. */
export async function updateService(id: string, input: UpdateAntiFraudServiceInput): Promise<void> {
  await api.mutate({ updateAntiFraudService: [{ id, input }, { antiFraudService: { id: true } }] });
}

/** Deletes an anti-fraud service for new payments. */
export async function deleteService(id: string): Promise<void> {
  await api.mutate({ deleteAntiFraudService: [{ id }, { antiFraudService: { id: true } }] });
}
