import type { PageRequest } from '../../../kernel/page.ts';
import { lockName, type Db, type Tx } from '../../../platform/database/db.ts';
import type { WebhookEndpoint as Row } from '../../../platform/generated/prisma/client.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { CredentialColumns } from './credentials.ts';
import { setsAuthorizationTwice } from './input-credentials.ts';
import type { WebhookBodyFormat, WebhookEndpoint, WebhookEndpointState } from './webhook-endpoint.ts';
import { readLogEnd } from './subscribed-from.sql.ts';

/** The stored form of a signing secret. */
export type SealedSecret = { readonly id: string; readonly sealed: string };

/**
 * Inserts an endpoint with its secret. Returns false if the merchant account already has `max` endpoints. Concurrent
 * inserts of the same merchant account wait for this transaction, so that the count is right.
 */
export async function insertEndpoint(
  tx: Tx,
  { basicAuthenticationUsername: _, ...endpoint }: WebhookEndpoint,
  credentials: CredentialColumns,
  secret: SealedSecret,
  max: number,
): Promise<boolean> {
  const { merchantAccountId, id, createdAt, eventNames } = endpoint;
  await lockName(tx, `webhook_endpoint.count ${merchantAccountId}`);
  if ((await tx.webhookEndpoint.count({ where: { merchantAccountId, deletedAt: null } })) >= max)
    return false;
  await tx.webhookEndpoint.create({
    data: {
      ...endpoint,
      eventNames: [...eventNames],
      ...credentials,
      headerNames: [...endpoint.headerNames],
      ...(await readLogEnd(tx)),
    },
  });
  await tx.webhookSecret.create({ data: { merchantAccountId, endpointId: id, createdAt, ...secret } });
  return true;
}

/** Returns the merchant account's endpoints of the ids, in no order and without deleted ones. */
export async function findEndpoints(
  { prisma }: Db,
  merchantAccountId: string,
  ids: readonly string[],
): Promise<readonly WebhookEndpoint[]> {
  const rows = await prisma.webhookEndpoint.findMany({
    where: { merchantAccountId, deletedAt: null, id: { in: ids.filter((id) => isUuid(id)) } },
  });
  return rows.map(endpointOf);
}

/** Returns a page with one additional row, newest first, or backward oldest first. A cursor must be a UUID. */
export async function listEndpoints(
  { prisma }: Db,
  merchantAccountId: string,
  { direction, limit, cursor }: PageRequest,
): Promise<readonly WebhookEndpoint[]> {
  const rows = await prisma.webhookEndpoint.findMany({
    where: {
      merchantAccountId,
      deletedAt: null,
      ...(cursor === null ? {} : { id: direction === 'forward' ? { lt: cursor } : { gt: cursor } }),
    },
    orderBy: { id: direction === 'forward' ? 'desc' : 'asc' },
    take: limit + 1,
  });
  return rows.map(endpointOf);
}

/** The fields that an update writes. Undefined fields stay. */
export type EndpointChange = CredentialColumns & {
  readonly url?: string | undefined;
  readonly description?: string | null | undefined;
  readonly eventNames?: string[] | undefined;
  readonly bodyFormat?: WebhookBodyFormat | undefined;
  readonly autoDisable?: boolean | undefined;
  readonly active?: boolean | undefined;
};

/**
 * Changes an endpoint, or returns null when the merchant account has no endpoint with this id. Disabling and enabling
 * change the state once. Changes nothing if the new and the stored fields would both set the header `authorization`.
 */
export async function changeEndpoint(
  db: Db,
  merchantAccountId: string,
  id: string,
  { active, ...columns }: EndpointChange,
  now: Date,
): Promise<WebhookEndpoint | 'authorization_twice' | null> {
  if (!isUuid(id)) return null;
  const where = { merchantAccountId, id, deletedAt: null };
  const change = async (tx: Tx): Promise<WebhookEndpoint | null> => {
    const data = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
    const { count } = await tx.webhookEndpoint.updateMany({ where, data: { ...data, updatedAt: now } });
    if (count === 0) return null;
    if (active === false) {
      await tx.webhookEndpoint.updateMany({
        where: { ...where, state: { not: 'disabled' } },
        data: { state: 'disabled', disabledAt: now, stateReason: STOPPED, stateChangedAt: now },
      });
    }
    if (active === true) {
      await tx.webhookEndpoint.updateMany({
        where: { ...where, state: 'disabled' },
        data: { ...STARTED, stateChangedAt: now, drainingSince: now },
      });
    }
    const row = await tx.webhookEndpoint.findFirst({ where });
    // Checked after the row is locked. The throw rolls the change back.
    if (row && setsAuthorizationTwice(row.headerNames, row.basicAuthUsername)) throw TWICE;
    return row && endpointOf(row);
  };
  try {
    return await db.transaction(change);
  } catch (error) {
    if (error === TWICE) return 'authorization_twice';
    throw error;
  }
}

const TWICE = new Error('Two parts of an endpoint set its header authorization.');

const STOPPED = 'Stopped by the merchant.';

/** An enabled endpoint starts with unknown health. */
const STARTED = {
  state: 'active',
  disabledAt: null,
  stateReason: null,
  pauses: 0,
  pausedUntil: null,
  failingSince: null,
  consecutiveFailures: 0,
  window: 1,
};

/** The number of deliveries that a deletion cancels itself. The dispatcher cancels the rest of a longer queue. */
const CANCELLED_AT_ONCE = 1_000;

/**
 * Deletes an endpoint softly, cancels its undelivered events and destroys its sealed secrets. Returns false when the
 * merchant account never had the endpoint. A repeat changes nothing. The dispatcher cancels deliveries beyond the first
 * thousand, and deliveries that the relay creates concurrently. It sends nothing to a deleted endpoint.
 */
export async function markDeleted(
  db: Db,
  merchantAccountId: string,
  id: string,
  now: Date,
): Promise<boolean> {
  if (!isUuid(id)) return false;
  return await db.transaction(async (tx) => {
    const where = { merchantAccountId, id };
    await tx.webhookEndpoint.updateMany({
      where: { ...where, deletedAt: null },
      data: { deletedAt: now, updatedAt: now, sealedHeaders: null, sealedBasicPassword: null },
    });
    if (!(await tx.webhookEndpoint.findFirst({ where, select: { id: true } }))) return false;
    const deliveries = { merchantAccountId, endpointId: id };
    await tx.delivery.updateMany({
      where: { ...deliveries, state: { in: ['pending', 'leased'] } },
      data: { state: 'cancelled', settledAt: now, lease: null, leaseUntil: null },
      limit: CANCELLED_AT_ONCE,
    });
    await tx.webhookSecret.deleteMany({ where: deliveries });
    return true;
  });
}

/** Returns the endpoint of a row. */
export const endpointOf = (row: Row): WebhookEndpoint => ({
  id: row.id,
  merchantAccountId: row.merchantAccountId,
  url: row.url,
  description: row.description,
  eventNames: row.eventNames,
  // A CHECK constraint allows no other value.
  bodyFormat: row.bodyFormat as WebhookBodyFormat,
  headerNames: row.headerNames,
  basicAuthenticationUsername: row.basicAuthUsername,
  autoDisable: row.autoDisable,
  // A CHECK constraint allows no other value.
  state: row.state as WebhookEndpointState,
  stateReason: row.stateReason,
  stateChangedAt: row.stateChangedAt,
  failingSince: row.failingSince,
  pausedUntil: row.pausedUntil,
  disabledAt: row.disabledAt,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});
