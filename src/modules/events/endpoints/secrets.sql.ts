import type { Db, Tx } from '../../../platform/db.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { SealedCredentials } from './credentials.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';
import { endpointOf, type SealedSecret } from './endpoints.sql.ts';

/** A secret that takes over from those before it. */
export type Rotation = {
  readonly secret: SealedSecret;
  readonly now: Date;
  /** When the secrets before it end, unless they end sooner. */
  readonly until: Date;
  /** Secrets that may be live at once, the new one included. */
  readonly max: number;
};

/**
 * Adds a secret to an endpoint and sets an end to the others; those that have ended are removed. Null when the merchant
 * account has no such endpoint, `full` when there are `max` already: what was written until then must be rolled back.
 * The endpoint's row is locked, so that two rotations come one after the other.
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

/** What a request to an endpoint is made of, sealed. */
export type SealedEndpoint = SealedCredentials & {
  readonly endpointId: string;
  readonly url: string;
  /** Every secret that signs at present, the newest first. */
  readonly secrets: readonly SealedSecret[];
};

/** One endpoint's address and what is sealed for it, whatever state it is in; null when the merchant account has none of this id. */
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
        ...{ id: true, url: true, sealedHeaders: true, basicAuthUsername: true, sealedBasicPassword: true },
        secrets: {
          select: { id: true, sealed: true },
          where: { OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
          orderBy: { createdAt: 'desc' },
        },
      },
    })
    .then((row) => row && { endpointId: row.id, ...row });
}
