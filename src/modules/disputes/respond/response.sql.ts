import type { Db, Tx } from '../../../platform/database/db.ts';
import type { DisputeResponse as Row } from '../../../platform/generated/prisma/client.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import { rowReader, type JsonRow } from '../../../platform/database/json-row.ts';
import type { Dispute } from '../dispute.ts';
import type { DisputeResponse } from './response.ts';

/** Writes a pending response. The caller holds the lock of the payment. */
export async function insertResponse(tx: Tx, response: DisputeResponse): Promise<void> {
  await tx.disputeResponse.create({ data: response });
}

/** True while the outcome of an earlier response to this stage is not known. */
export const hasPendingResponse = async (
  tx: Tx,
  { merchantAccountId, id: disputeId, stage }: Pick<Dispute, 'merchantAccountId' | 'id' | 'stage'>,
): Promise<boolean> =>
  (await tx.disputeResponse.findFirst({
    where: { merchantAccountId, disputeId, stage, status: 'pending' },
    select: { id: true },
  })) !== null;

/** Reads a response as it is now. Null if the account has no such response. */
export async function readResponse(
  tx: Pick<Tx, 'disputeResponse'>,
  { merchantAccountId, id }: Pick<DisputeResponse, 'merchantAccountId' | 'id'>,
): Promise<DisputeResponse | null> {
  const row = await tx.disputeResponse.findFirst({ where: { merchantAccountId, id } });
  return row && toResponse(row);
}

/** Reads a response without a lock. Null if the account has no such response. */
export const findResponse = (
  { prisma }: Db,
  name: Pick<DisputeResponse, 'merchantAccountId' | 'id'>,
): Promise<DisputeResponse | null> => readResponse(prisma, name);

/** Returns the first of the keys that no response has at its provider. Null without such a key. */
export async function firstUnusedKey(
  tx: Tx,
  merchantAccountId: string,
  keys: readonly string[],
): Promise<string | null> {
  const used = await tx.disputeResponse.findMany({
    where: { merchantAccountId, providerKey: { in: [...keys] } },
    select: { providerKey: true },
  });
  return keys.find((key) => !used.some(({ providerKey }) => providerKey === key)) ?? null;
}

/** Changes a pending response. The caller holds the lock of the payment. */
export const changeResponse = async (
  tx: Tx,
  { merchantAccountId, id }: Pick<DisputeResponse, 'merchantAccountId' | 'id'>,
  patch: Partial<
    Pick<
      DisputeResponse,
      'status' | 'errorCode' | 'nextAttemptAt' | 'unclearAt' | 'acceptedAt' | 'settledAt' | 'sealedEvidence'
    >
  >,
): Promise<DisputeResponse> =>
  toResponse(
    await tx.disputeResponse.update({
      where: { merchantAccountId_id: { merchantAccountId, id } },
      data: patch,
    }),
  );

const claimStatement = prepareFile(import.meta, 'claim-dispute-responses.sql');

export type ClaimLimits = {
  /** The greatest number of responses. */
  readonly limit: number;
  /** The greatest number of requests under way at each payment service, over all merchant accounts. */
  readonly perService: number;
  /** The requests of this process that are under way, by payment service. */
  readonly sending: ReadonlyMap<string, number>;
};

/** A due response, and the payment service that gets the response. */
export type DueResponse = { readonly response: DisputeResponse; readonly paymentServiceId: string };

/**
 * Claims responses that are due, of every merchant account. Each payment service gets at most `perService`, so a silent
 * provider delays no other. Payment services with the fewest requests under way come first, then the oldest responses.
 */
export async function claimDueResponses(
  db: Db,
  moment: { readonly now: Date; readonly leaseUntil: Date },
  { limit, perService, sending }: ClaimLimits,
): Promise<readonly DueResponse[]> {
  const under = { services: [...sending.keys()], sending: [...sending.values()] };
  const rows = await db.query<{ response: JsonRow; paymentServiceId: string }>(
    claimStatement({ ...moment, ...under, limit, perService }),
  );
  return rows.map(({ response, paymentServiceId }) => ({ response: fromJson(response), paymentServiceId }));
}

const ofDisputes = prepareFile(import.meta, 'responses-of-disputes.sql');

/** Reads the latest responses of some disputes, newest first. Returns at most `limit` for each dispute. */
export async function readResponsesOf(
  db: Db,
  account: string,
  disputes: readonly string[],
  limit: number,
): Promise<readonly DisputeResponse[]> {
  const rows = await db.query<{ response: JsonRow }>(ofDisputes({ account, disputes, limit }));
  return rows.map(({ response }) => fromJson(response));
}

const fromJson = rowReader<Row, DisputeResponse>();

/** The database checks the words of the columns. */
const toResponse = (row: Row): DisputeResponse => row as DisputeResponse;
