import type { Db, Tx } from '../../../platform/database/db.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { SealedCredentials } from './credentials.ts';
import type { WebhookBodyFormat, WebhookEndpoint } from './webhook-endpoint.ts';
import { endpointOf, type SealedSecret } from './endpoints.sql.ts';

/** A new secret that replaces the earlier ones. */
export type Rotation = {
  readonly secret: SealedSecret;
  readonly now: Date;
  /** The end of the earlier secrets, unless they end sooner. */
  readonly until: Date;
  /** The most live secrets, the new one included. */
  readonly max: number;
};

/**
 * Adds a secret to an endpoint, sets an end to the others, and removes ended ones. Locks the endpoint's row, so that
 * two rotations run one after the other.
 *
 * Returns null when the merchant account has no such endpoint. Returns `full` when `max` secrets are live. The caller
 * must then roll the transaction back.
 */
export async function rotateSecret(
  tx: Tx,
  merchantAccountId: string,
  endpointId: string,
  { secret, now, until, max }: Rotation,
): Promise<WebhookEndpoint | 'full' | null> {
  if (!isUuid(endpointId)) return null;
  const where = { merchantAccountId, id: endpointId, deletedAt: null };
  const { count } = await tx.webhookEndpoint.updateMany({ where, data: { updatedAt: now } });
  const row = count === 0 ? null : await tx.webhookEndpoint.findFirst({ where });
  if (!row) return null;
  const ofEndpoint = { merchantAccountId, endpointId: row.id };
  await tx.webhookSecret.updateMany({
    where: { ...ofEndpoint, OR: [{ expiresAt: null }, { expiresAt: { gt: until } }] },
    data: { expiresAt: until },
  });
  await tx.webhookSecret.deleteMany({ where: { ...ofEndpoint, expiresAt: { lte: now } } });
  if ((await tx.webhookSecret.count({ where: ofEndpoint })) >= max) return 'full';
  await tx.webhookSecret.create({ data: { ...ofEndpoint, createdAt: now, ...secret } });
  return endpointOf(row);
}

/** The sealed parts of a request to an endpoint. */
export type SealedEndpoint = SealedCredentials & {
  readonly endpointId: string;
  readonly url: string;
  readonly bodyFormat: WebhookBodyFormat;
  /** Every secret that signs at present, newest first. */
  readonly secrets: readonly SealedSecret[];
};

/**
 * Returns an endpoint's address and sealed parts, in every state. Null when the merchant account has no endpoint with
 * this id.
 */
export async function findSealedEndpoint(
  { prisma }: Db,
  merchantAccountId: string,
  id: string,
  now: Date,
): Promise<SealedEndpoint | null> {
  if (!isUuid(id)) return null;
  return await prisma.webhookEndpoint
    .findFirst({
      where: { merchantAccountId, id, deletedAt: null },
      select: {
        ...{
          id: true,
          url: true,
          bodyFormat: true,
          sealedHeaders: true,
          basicAuthUsername: true,
          sealedBasicPassword: true,
        },
        secrets: {
          select: { id: true, sealed: true },
          where: { OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
          orderBy: { createdAt: 'desc' },
        },
      },
    })
    .then((row) => row && { endpointId: row.id, ...row, bodyFormat: row.bodyFormat as WebhookBodyFormat });
}
