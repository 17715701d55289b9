import type { AntiFraudService, AntiFraudServiceDefinition } from '../../../client/generated/schema.ts';
import type { Answer } from '../../../client/operations/selection.ts';
import { api } from '../../app/data/api.ts';
import { pageOf, rowsOf, type Ask } from '../../app/data/pages.ts';
import { FIELD } from '../connection/values.ts';

const ROW = {
  ...{ id: true, displayName: true, active: true, isDeleted: true, createdAt: true },
  ...{ antiFraudServiceDefinitionId: true, interfaceVersion: true },
  definition: { displayName: true },
} as const;

/** An anti-fraud service of the list. */
export type Row = Answer<AntiFraudService, typeof ROW>;

/** Reads a page of the list, newest service first. */
export async function readServices({ after, signal }: Ask) {
  const wanted = [{ first: 20, after }, pageOf(ROW)] as const;
  return rowsOf((await api.query({ antiFraudServices: wanted }, { signal })).antiFraudServices);
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
  ...{ newerInterfaceEnabled: true, fallback: true, webhookUrl: true },
  fields: { key: true, value: true },
  definition: DEFINITION,
} as const;

/** An anti-fraud service of its page. */
export type Service = Answer<AntiFraudService, typeof SERVICE>;

/** Reads an anti-fraud service. Null without such a service. */
export const readService = async (id: string, signal: AbortSignal): Promise<Service | null> =>
  (await api.query({ antiFraudService: [{ id }, SERVICE] }, { signal })).antiFraudService;
