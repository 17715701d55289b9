import { readRows } from '../../../platform/database/column-set.ts';
import { DB_NULL, queryIn, type Db, type Tx } from '../../../platform/database/db.ts';
import type { Prisma } from '../../../platform/generated/prisma/client.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { PaymentLinkModel } from '../../../platform/generated/prisma/models.ts';
import { rowReader, type JsonRow } from '../../../platform/database/json-row.ts';
import type { PaymentLink, PaymentLinkStatus } from '../payment-link.ts';
import { LINK_COLUMNS, type LinkColumns } from './columns.ts';
import { isAmong, prepare, prepareFile } from '../../../platform/database/statement.ts';

/** The stored forms of a link's token: its digest for look-ups, and its sealed text to show the address. */
export type LinkSecrets = { readonly tokenDigest: string; readonly sealedToken: string };

export const toLink = rowReader<Omit<PaymentLinkModel, keyof LinkSecrets>, PaymentLink>();

const clock = prepare('payment_link_clock', `SELECT date_trunc('milliseconds', clock_timestamp()) AS now`);

/** Reads the database's clock, which decides expiry for all processes. Milliseconds, as stored moments have. */
export async function databaseNow(tx: Tx): Promise<Date> {
  const [row] = await queryIn(tx).query<{ now: Date }>(clock({}));
  if (!row) throw new Error('The database answered no time.');
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
      splits: json(link.splits),
      statementDescriptor: json(link.statementDescriptor),
      connectionOptions: json(link.connectionOptions),
      metadata: json(link.metadata),
    },
  });
}

const lockOne = prepareFile(import.meta, 'lock-payment-link.sql');

const readOne = prepareFile(import.meta, 'read-payment-link.sql');

/** Reads the current link and locks it until the transaction ends. Null when the id is unknown. */
export async function lockLink(tx: Tx, merchantAccountId: string, id: string): Promise<PaymentLink | null> {
  if (!isUuid(id)) return null;
  const { query } = queryIn(tx);
  await query(lockOne({ account: merchantAccountId, id }));
  // A separate statement, so that the time is read after the wait for the lock.
  const [row] = await query<{ link: JsonRow }>(readOne({ account: merchantAccountId, id }));
  return row ? toLink(row.link) : null;
}

const lapsed = prepareFile(import.meta, 'lock-lapsed-payment-links.sql');

/**
 * Locks links that have expired but whose status says otherwise, oldest first. Skips links that somebody else has
 * locked.
 */
export async function lockLapsed(tx: Tx, limit: number): Promise<readonly PaymentLink[]> {
  const rows = await queryIn(tx).query<{ link: JsonRow }>(lapsed({ limit }));
  return rows.map(({ link }) => toLink(link));
}

/** Writes the status of a locked link. */
export async function writeStatus(
  tx: Tx,
  { merchantAccountId, id }: Pick<PaymentLink, 'merchantAccountId' | 'id'>,
  status: PaymentLinkStatus,
  now: Date,
): Promise<void> {
  await tx.paymentLink.updateMany({ where: { merchantAccountId, id }, data: { status, updatedAt: now } });
}

/** Writes the moment of the request for a receipt of a locked link. */
export async function writeReceiptRequest(
  tx: Tx,
  { merchantAccountId, id }: Pick<PaymentLink, 'merchantAccountId' | 'id'>,
  now: Date,
): Promise<void> {
  const data = { receiptRequestedAt: now, updatedAt: now };
  await tx.paymentLink.updateMany({ where: { merchantAccountId, id }, data });
}

const readMany = (columns: LinkColumns) =>
  prepare(
    `read_payment_links_${columns}`,
    `SELECT ${LINK_COLUMNS[columns].select('l')} FROM payment_link l
     WHERE l.merchant_account_id = @account AND ${isAmong('l.id', '@ids::uuid[]')}`,
  );

const readManyStatements = { line: readMany('line'), look: readMany('look'), whole: readMany('whole') };

/** Reads the merchant account's links of these ids with the fields of `columns`, in no order. */
export const readLinks = (
  db: Db,
  account: string,
  ids: readonly string[],
  columns: LinkColumns = 'whole',
): Promise<readonly PaymentLink[]> =>
  readRows(db, readManyStatements[columns]({ account, ids }), LINK_COLUMNS[columns]);

/** Reads the sealed tokens of links, in no order. */
export async function readSealedTokens(
  { prisma }: Db,
  merchantAccountId: string,
  ids: readonly string[],
): Promise<readonly { readonly id: string; readonly sealedToken: string }[]> {
  const where = { merchantAccountId, id: { in: ids.filter((id) => isUuid(id)) } };
  return prisma.paymentLink.findMany({ where, select: { id: true, sealedToken: true } });
}

const byDigest = prepareFile(import.meta, 'find-payment-link.sql');

/** Finds the link of a token by its digest, in any merchant account: the holder of a token names none. */
export async function findLinkByDigest(db: Db, tokenDigest: string): Promise<PaymentLink | null> {
  const [row] = await db.query<{ link: JsonRow }>(byDigest({ tokenDigest }));
  return row ? toLink(row.link) : null;
}
