import type { App } from '../../app.ts';
import type { PageRequest } from '../../kernel/page.ts';
import { readRows } from '../../platform/database/column-set.ts';
import { lockName, queryIn, DB_NULL, type Db, type Tx } from '../../platform/database/db.ts';
import type { PaymentServiceModel } from '../../platform/generated/prisma/models.ts';
import { isUuid } from '../../platform/ids.ts';
import { given, readIdPage } from '../../platform/lists/id-page.sql.ts';
import { rowReader, type JsonRow } from '../../platform/database/json-row.ts';
import { equal } from '../../platform/lists/list-filters.sql.ts';
import { isAmong, prepare, prepareFile } from '../../platform/database/statement.ts';
import { SERVICE_LINE } from './columns.ts';
import type { Field } from './model/fields.ts';
import type { MerchantProfile } from './model/merchant-profile.ts';
import type {
  PaymentService,
  PaymentServiceStatus,
  StoredPaymentService,
  ThreeDSecureFallback,
} from './model/payment-service.ts';

/** Inserts a payment service, and notifies the other processes at the commit. Afterwards the caller counts the change. */
export async function insertPaymentService(tx: Tx, stored: StoredPaymentService): Promise<void> {
  await tx.paymentService.create({ data: toRow(stored) });
  await queryIn(tx).query(notifyChange({}));
}

/** The channel that announces changes of payment services. */
export const SERVICES_CHANNEL = 'paygraph_payment_service';

/** Notifies every process at the commit. */
const notifyChange = prepare(
  'payment_service_notify',
  `SELECT pg_notify('${SERVICES_CHANNEL}', '') IS NULL AS notified`,
);

/**
 * Returns the position after the last service that is not deleted, or 1 for the first. Other callers wait until this
 * transaction ends, so that concurrent creates get different positions.
 */
export async function takeNextPosition(tx: Tx, merchantAccountId: string): Promise<number> {
  await lockName(tx, `payment_service.position ${merchantAccountId}`);
  const { _max: last } = await tx.paymentService.aggregate({
    where: { merchantAccountId, deletedAt: null },
    _max: { position: true },
  });
  return Math.min((last.position ?? 0) + 1, POSITION_MAX);
}

/** The largest integer of the column. Services that share a position are ordered by id. */
const POSITION_MAX = 2_147_483_647;

/** Finds one payment service, even a deleted one. Null when the merchant account has no such service. */
export async function findStored(
  { prisma }: Db,
  merchantAccountId: string,
  id: string,
): Promise<StoredPaymentService | null> {
  if (!isUuid(id)) return null;
  const row = await prisma.paymentService.findFirst({ where: { merchantAccountId, id } });
  return row && fromRow(row);
}

/** Reads the merchant account's payment services of these ids in no order, deleted ones included. */
export async function findStoredByIds(
  db: Db,
  merchantAccountId: string,
  ids: readonly string[],
): Promise<readonly StoredPaymentService[]> {
  const wanted = { account: merchantAccountId, ids: ids.filter((id) => isUuid(id)) };
  const rows = await db.query<{ service: JsonRow }>(byIdsStatement(wanted));
  return rows.map(({ service }) => fromRow(readRow(service)));
}

const byIdsStatement = prepareFile(import.meta, 'payment-services-by-id.sql');

const linesStatement = prepare(
  'payment_service_lines_by_id',
  `SELECT ${SERVICE_LINE.select('s')} FROM payment_service s
   WHERE s.merchant_account_id = @account AND ${isAmong('s.id', '@ids::uuid[]')}`,
);

/** Reads the lines of these payment services in no order, deleted ones included. Another field of them throws. */
export const findLinesByIds = (
  db: Db,
  account: string,
  ids: readonly string[],
): Promise<readonly PaymentService[]> =>
  readRows(db, linesStatement({ account, ids: ids.filter((id) => isUuid(id)) }), SERVICE_LINE);

/**
 * Finds the payment service of a webhook token, even a deleted one, or null. This is the only look-up without a merchant account:
 * only the provider knows the token. Floods of webhooks come here first, and a statement takes less of the loop than Prisma.
 */
export async function findStoredByWebhookToken(
  db: Db,
  webhookToken: string,
): Promise<StoredPaymentService | null> {
  const [row] = await db.query<{ service: JsonRow }>(ofWebhookStatement({ token: webhookToken }));
  return row ? fromRow(readRow(row.service)) : null;
}

const ofWebhookStatement = prepareFile(import.meta, 'payment-service-of-webhook.sql');

export type ListFilter = { readonly method: string | null; readonly deleted: boolean };

/** Reads a page and one row more, newest first or, backward, oldest first. A cursor must be a UUID. */
export async function listStored(
  { prisma }: Db,
  merchantAccountId: string,
  { direction, limit, cursor }: PageRequest,
  { method, deleted }: ListFilter,
): Promise<readonly StoredPaymentService[]> {
  const rows = await prisma.paymentService.findMany({
    where: {
      merchantAccountId,
      deletedAt: deleted ? { not: null } : null,
      ...(method === null ? {} : { method }),
      ...(cursor === null ? {} : { id: direction === 'forward' ? { lt: cursor } : { gt: cursor } }),
    },
    orderBy: { id: direction === 'forward' ? 'desc' : 'asc' },
    take: limit + 1,
  });
  return rows.map(fromRow);
}

/**
 * Reads the lines of the merchant account, newest first, deleted ones included. At most one more than `LINES_MAX`. Another
 * field of them throws.
 */
export const readLines = (db: Db, account: string): Promise<readonly PaymentService[]> =>
  readRows(db, allLinesStatement({ account }), SERVICE_LINE);

/** The most services whose lines are remembered. A usual merchant account has some dozen, deleted ones included. */
export const LINES_MAX = 100;

const allLinesStatement = prepare(
  'payment_service_lines',
  `SELECT ${SERVICE_LINE.select('s')} FROM payment_service s
   WHERE s.merchant_account_id = @account ORDER BY s.id DESC LIMIT ${LINES_MAX + 1}`,
);

/** Reads the lines of a page as `listStored` reads its rows. Another field of them throws. */
export const listLines = (
  db: Db,
  account: string,
  page: PageRequest,
  { method, deleted }: ListFilter,
): Promise<readonly PaymentService[]> => {
  const conditions = [
    () => [deleted ? 't.deleted_at IS NOT NULL' : 't.deleted_at IS NULL'],
    ...given(method, (name) => equal('method', 'text', name)),
  ];
  return readIdPage(db, { table: 'payment_service', account, columns: SERVICE_LINE, conditions }, page);
};

/** The state of a service that can take a request. */
const READY = { active: true, deletedAt: null, status: { not: 'failed' } } as const;

/** Lists the methods of the services of these definitions that can take a request, in no order. */
export async function listReadyMethods(
  { prisma }: Db,
  merchantAccountId: string,
  definitionIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await prisma.paymentService.findMany({
    where: { merchantAccountId, ...READY, definitionId: { in: [...definitionIds] } },
    select: { method: true },
  });
  return rows.map(({ method }) => method);
}

/** Lists the services of a method and of these definitions that can take a request, by position, then id. */
export async function listReady(
  { prisma }: Db,
  merchantAccountId: string,
  { method, definitionIds }: { readonly method: string; readonly definitionIds: readonly string[] },
): Promise<readonly StoredPaymentService[]> {
  const rows = await prisma.paymentService.findMany({
    where: { merchantAccountId, method, ...READY, definitionId: { in: [...definitionIds] } },
    orderBy: [{ position: 'asc' }, { id: 'asc' }],
  });
  return rows.map(fromRow);
}

/**
 * Writes a changed service over the state on which the change was decided. Returns false and writes nothing if the row
 * has changed or was deleted since. The caller then decides the change again. A change ends the copies of all processes.
 */
export async function replaceIfUnchanged(
  { db, serviceChanges }: Pick<App, 'db' | 'serviceChanges'>,
  before: StoredPaymentService,
  after: StoredPaymentService,
): Promise<boolean> {
  const { merchantAccountId, id, updatedAt } = before;
  // A start of the service alone changes the package.
  const { merchantAccountId: _account, id: _row, connectorPackage: _package, ...data } = toRow(after);
  const where = { merchantAccountId, id, updatedAt, deletedAt: null };
  const replace = async (tx: Tx): Promise<boolean> => {
    const { count } = await tx.paymentService.updateMany({ where, data });
    if (count === 1) await queryIn(tx).query(notifyChange({}));
    return count === 1;
  };
  return await db.transaction(replace).finally(() => serviceChanges.note());
}

/** The columns of a payment service that a connection needs. */
export type ConnectionRow = {
  readonly id: string;
  readonly displayName: string;
  readonly definitionId: string;
  readonly fields: readonly Field[];
  readonly sealedFields: string | null;
  /** The secret part of the address for the provider's webhooks. */
  readonly webhookToken: string;
};

type Row = PaymentServiceModel;

const readRow = rowReader<PaymentServiceModel, Row>();

const toRow = ({ fields, reportingFields, merchantProfile, ...columns }: StoredPaymentService) => ({
  ...columns,
  acceptedCurrencies: [...columns.acceptedCurrencies],
  acceptedCountries: [...columns.acceptedCountries],
  fields: [...fields],
  reportingFields: [...reportingFields],
  merchantProfile:
    merchantProfile?.map((entry) => ({ ...entry, createdAt: entry.createdAt.toISOString() })) ?? DB_NULL,
});

/** Converts a row. `toRow` wrote the JSON columns. */
const fromRow = (row: Row): StoredPaymentService => ({
  ...row,
  status: row.status as PaymentServiceStatus,
  threeDSecureFallback: row.threeDSecureFallback as ThreeDSecureFallback,
  fields: row.fields as Field[],
  reportingFields: row.reportingFields as Field[],
  merchantProfile:
    (row.merchantProfile as (Omit<MerchantProfile, 'createdAt'> & { createdAt: string })[] | null)?.map(
      (entry) => ({
        ...entry,
        createdAt: new Date(entry.createdAt),
      }),
    ) ?? null,
});
