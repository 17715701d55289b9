import type { PageRequest } from '../../../kernel/page.ts';
import type { Db, Tx } from '../../../platform/db.ts';
import type { WebhookEndpoint as Row } from '../../../platform/generated/prisma/client.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { WebhookEndpoint, WebhookEndpointState } from '../webhook-endpoint.ts';

/** A signing secret as it is kept. */
export type SealedSecret = { readonly id: string; readonly sealed: string };

/**
 * Inserts an endpoint with its secret, unless the merchant account has `max` already: false then. Others who insert for
 * the same merchant account wait until this transaction ends, so that the count holds.
 */
export async function insertEndpoint(
  tx: Tx,
  endpoint: WebhookEndpoint,
  secret: SealedSecret,
  max: number,
): Promise<boolean> {
  const { merchantAccountId, id, createdAt, eventNames } = endpoint;
  const lock = `webhook_endpoint.count ${merchantAccountId}`;
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${lock}, 0))`;
  if ((await tx.webhookEndpoint.count({ where: { merchantAccountId, deletedAt: null } })) >= max)
    return false;
  await tx.webhookEndpoint.create({ data: { ...endpoint, eventNames: [...eventNames] } });
  await tx.webhookSecret.create({ data: { merchantAccountId, endpointId: id, createdAt, ...secret } });
  return true;
}

/** Those of the ids that name an endpoint of the merchant account, in no order; deleted ones are left out. */
export async function findEndpoints(
  { prisma }: Db,
  merchantAccountId: string,
  ids: readonly string[],
): Promise<readonly WebhookEndpoint[]> {
  const rows = await prisma.webhookEndpoint.findMany({
    where: { merchantAccountId, deletedAt: null, id: { in: ids.filter((id) => isUuid(id)) } },
  });
  return rows.map(fromRow);
}

/** A page with one row more than asked for, newest first or, backward, oldest first. A cursor must be a UUID. */
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
  return rows.map(fromRow);
}

/** What an update writes; what is undefined stays. */
export type EndpointChange = {
  readonly url?: string | undefined;
  readonly description?: string | null | undefined;
  readonly eventNames?: string[] | undefined;
  readonly active?: boolean | undefined;
};

/** Changes an endpoint; null when the merchant account has none of this id. Stopping and starting change its state once. */
export async function changeEndpoint(
  db: Db,
  merchantAccountId: string,
  id: string,
  { active, ...columns }: EndpointChange,
  now: Date,
): Promise<WebhookEndpoint | null> {
  if (!isUuid(id)) return null;
  const where = { merchantAccountId, id, deletedAt: null };
  return await db.transaction(async (tx) => {
    const data = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
    const { count } = await tx.webhookEndpoint.updateMany({ where, data: { ...data, updatedAt: now } });
    if (count === 0) return null;
    if (active === false) {
      await tx.webhookEndpoint.updateMany({
        where: { ...where, state: { not: 'disabled' } },
        data: { state: 'disabled', disabledAt: now, disabledReason: STOPPED },
      });
    }
    if (active === true) {
      await tx.webhookEndpoint.updateMany({ where: { ...where, state: 'disabled' }, data: STARTED });
    }
    const row = await tx.webhookEndpoint.findFirst({ where });
    return row && fromRow(row);
  });
}

const STOPPED = 'Stopped by the merchant.';

/** A start is a new beginning: nothing is known of the endpoint's health. */
const STARTED = {
  state: 'active',
  disabledAt: null,
  disabledReason: null,
  pausedUntil: null,
  failingSince: null,
  consecutiveFailures: 0,
  window: 1,
};

/**
 * Deletes an endpoint softly, cancels what was not delivered to it and destroys its secrets. False when the merchant
 * account never had it; deleted again it changes nothing. What the relay makes for it at the same moment is cancelled by
 * the dispatcher, which sends nothing to a deleted endpoint.
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
      data: { deletedAt: now, updatedAt: now },
    });
    if (!(await tx.webhookEndpoint.findFirst({ where, select: { id: true } }))) return false;
    const deliveries = { merchantAccountId, endpointId: id };
    await tx.delivery.updateMany({
      where: { ...deliveries, state: { in: ['pending', 'leased'] } },
      data: { state: 'cancelled', settledAt: now, lease: null, leaseUntil: null },
    });
    await tx.webhookSecret.deleteMany({ where: deliveries });
    return true;
  });
}

const fromRow = ({
  id,
  merchantAccountId,
  url,
  description,
  eventNames,
  state,
  createdAt,
  updatedAt,
}: Row): WebhookEndpoint => ({
  id,
  merchantAccountId,
  url,
  description,
  eventNames,
  // A CHECK constraint allows no other word.
  state: state as WebhookEndpointState,
  createdAt,
  updatedAt,
});
