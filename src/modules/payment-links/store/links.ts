import { DB_NULL, type Db, type Tx } from '../../../platform/db.ts';
import type { Prisma } from '../../../platform/generated/prisma/client.ts';
import { isUuid } from '../../../platform/ids.ts';
import { fromJsonRow, type JsonRow } from '../../../platform/json-row.ts';
import type { PaymentLink, PaymentLinkStatus } from '../payment-link.ts';

/** What the address of a link is found and shown by. */
export type LinkSecrets = { readonly tokenDigest: string; readonly sealedToken: string };

/**
 * A row `l` of payment_link as it is shown: expired from its moment on, by the database's clock, whether or not that has been
 * written; without what the address is found by.
 */
export const SHOWN = `to_jsonb(l) - 'token_digest' - 'sealed_token' || jsonb_build_object('status',
  CASE WHEN l.status = 'active' AND l.expires_at <= statement_timestamp() THEN 'expired' ELSE l.status END)`;

export const toLink = (row: JsonRow): PaymentLink => fromJsonRow(row) as PaymentLink;

/** The database's clock, which decides what has expired: one for all processes. To the millisecond, as moments are kept. */
export async function databaseNow(tx: Tx): Promise<Date> {
  const [row] = await tx.$queryRaw<{ now: Date }[]>`
    SELECT date_trunc('milliseconds', clock_timestamp()) AS now`;
  if (!row) throw new Error('The database told no time.');
  return row.now;
}

/** Inserts a link with its token. */
export async function insertLink(tx: Tx, link: PaymentLink, secrets: LinkSecrets): Promise<void> {
  const json = (value: unknown) => (value as Prisma.InputJsonValue | null) ?? DB_NULL;
  await tx.paymentLink.create({
    data: {
      ...link,
      ...secrets,
      buyer: json(link.buyer),
      shippingDetails: json(link.shippingDetails),
      cartItems: json(link.cartItems),
      statementDescriptor: json(link.statementDescriptor),
      connectionOptions: json(link.connectionOptions),
      metadata: json(link.metadata),
    },
  });
}

/** A link as it is now, kept from being changed until the transaction ends; null when there is none of this id. */
export async function lockLink(tx: Tx, merchantAccountId: string, id: string): Promise<PaymentLink | null> {
  if (!isUuid(id)) return null;
  await tx.$executeRaw`
    SELECT FROM payment_link WHERE merchant_account_id = ${merchantAccountId} AND id = ${id}::uuid
    FOR NO KEY UPDATE`;
  // A statement of its own, so that time is read after the wait for the lock.
  const [row] = await tx.$queryRawUnsafe<{ link: JsonRow }[]>(
    `SELECT ${SHOWN} AS link FROM payment_link l WHERE l.merchant_account_id = $1 AND l.id = $2::uuid`,
    merchantAccountId,
    id,
  );
  return row ? toLink(row.link) : null;
}

/** Links that have expired and are not written so, locked, oldest first; those that somebody else has locked are left out. */
export async function lockLapsed(tx: Tx, limit: number): Promise<readonly PaymentLink[]> {
  const rows = await tx.$queryRawUnsafe<{ link: JsonRow }[]>(
    `SELECT to_jsonb(l) - 'token_digest' - 'sealed_token' AS link FROM payment_link l
     WHERE l.status = 'active' AND l.expires_at <= statement_timestamp()
     ORDER BY l.expires_at LIMIT $1::int FOR NO KEY UPDATE SKIP LOCKED`,
    limit,
  );
  return rows.map(({ link }) => toLink(link));
}

/** Writes the status of a link that is locked. */
export async function writeStatus(
  tx: Tx,
  { merchantAccountId, id }: Pick<PaymentLink, 'merchantAccountId' | 'id'>,
  status: PaymentLinkStatus,
  now: Date,
): Promise<void> {
  await tx.paymentLink.updateMany({ where: { merchantAccountId, id }, data: { status, updatedAt: now } });
}

/** Those of the ids that name a link of the merchant account, in no order. */
export async function readLinks(
  db: Db,
  merchantAccountId: string,
  ids: readonly string[],
): Promise<readonly PaymentLink[]> {
  const rows = await db.query<{ link: JsonRow }>({
    name: 'read_payment_links',
    text: `SELECT ${SHOWN} AS link FROM payment_link l
           WHERE l.merchant_account_id = $1 AND l.id = ANY ($2::uuid[])`,
    values: [merchantAccountId, ids],
  });
  return rows.map(({ link }) => toLink(link));
}

/** The sealed tokens of links, in no order. */
export async function readSealedTokens(
  { prisma }: Db,
  merchantAccountId: string,
  ids: readonly string[],
): Promise<readonly { readonly id: string; readonly sealedToken: string }[]> {
  const where = { merchantAccountId, id: { in: ids.filter((id) => isUuid(id)) } };
  return prisma.paymentLink.findMany({ where, select: { id: true, sealedToken: true } });
}

/** The link of a token, by its digest; of any merchant account, because who holds a token says none. */
export async function findLinkByDigest(db: Db, tokenDigest: string): Promise<PaymentLink | null> {
  const [row] = await db.query<{ link: JsonRow }>({
    name: 'find_payment_link',
    text: `SELECT ${SHOWN} AS link FROM payment_link l WHERE l.token_digest = $1`,
    values: [tokenDigest],
  });
  return row ? toLink(row.link) : null;
}
