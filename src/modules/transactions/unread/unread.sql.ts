import type { UnreadReason } from '../../../connectors/notices/webhook.ts';
import type { PageRequest } from '../../../kernel/page.ts';
import { columnSet } from '../../../platform/database/column-set.ts';
import type { Db } from '../../../platform/database/db.ts';
import { Prisma, type UnreadWebhook as Row } from '../../../platform/generated/prisma/client.ts';
import { given, readIdPage } from '../../../platform/lists/id-page.sql.ts';
import { isOneOf } from '../../../platform/lists/list-filters.sql.ts';
import type { UnreadFilter } from './filter.ts';
import { ROWS_MAX, type StoredUnread, type UnreadWebhook } from './unread-webhook.ts';

const FIELDS = Object.values(Prisma.UnreadWebhookScalarFieldEnum).filter(
  (name) => name !== 'sealedBody' && name !== 'digest',
);

/** The columns of a list, without the content. */
const COLUMNS = columnSet<UnreadWebhook>('whole', FIELDS, FIELDS);

/**
 * Stores an unread webhook, or counts a repeat of one with the same content. Commits once. Returns the number of rows of the
 * payment service that gave way. Those of an unknown kind go first, then the oldest.
 */
export async function keepRow(db: Db, row: StoredUnread): Promise<number> {
  const { merchantAccountId, paymentServiceId, digest, reason } = row;
  const service = { merchantAccountId, paymentServiceId };
  return db.transaction(async (tx) => {
    const { count } = await tx.unreadWebhook.createMany({ data: row, skipDuplicates: true });
    if (count === 0) {
      const data = { times: { increment: 1 }, reason };
      await tx.unreadWebhook.updateMany({ where: { ...service, digest }, data });
      return 0;
    }
    const surplus = (await tx.unreadWebhook.count({ where: service })) - ROWS_MAX;
    if (surplus < 1) return 0;
    const least = await oldest(tx, { ...service, reason: LEAST }, surplus);
    const others = await oldest(tx, { ...service, reason: { not: LEAST } }, surplus - least.length);
    const where = { merchantAccountId, id: { in: [...least, ...others] } };
    return (await tx.unreadWebhook.deleteMany({ where })).count;
  });
}

/** The reason of the webhooks that give way first. A provider may send many events of a kind that moves no money. */
const LEAST: UnreadReason = 'unknown_kind';

async function oldest(
  tx: Prisma.TransactionClient,
  where: Prisma.UnreadWebhookWhereInput,
  take: number,
): Promise<readonly string[]> {
  const rows = await tx.unreadWebhook.findMany({ where, orderBy: { id: 'asc' }, take, select: { id: true } });
  return rows.map(({ id }) => id);
}

/** Reads an unread webhook with its content. Null if the merchant account has none with the id. The id must be a UUID. */
export async function readUnread(
  { prisma }: Pick<Db, 'prisma'>,
  merchantAccountId: string,
  id: string,
): Promise<StoredUnread | null> {
  const row = await prisma.unreadWebhook.findFirst({ where: { merchantAccountId, id } });
  return row && toUnread(row);
}

type Owned = Pick<UnreadWebhook, 'merchantAccountId' | 'id'>;

/** Removes a webhook that was read. The audit log names the actor. Commits once. */
export async function removeUnread(db: Db, { merchantAccountId, id }: Owned): Promise<void> {
  await db.transaction((tx) => tx.unreadWebhook.deleteMany({ where: { merchantAccountId, id } }));
}

/** Records that a webhook is still not read wholly. Null if another request has read it meanwhile. Commits once. */
export async function leaveUnread(
  db: Db,
  { merchantAccountId, id }: Owned,
  { reason, now }: { readonly reason: UnreadReason; readonly now: Date },
): Promise<UnreadWebhook | null> {
  const where = { merchantAccountId, id };
  const data = { reason, appliedAt: now };
  const [left] = await db.transaction((tx) => tx.unreadWebhook.updateManyAndReturn({ where, data }));
  return left ? toUnread(left) : null;
}

/** Removes the webhooks of all merchant accounts that came before a moment. Commits once. Returns their number. */
export async function removeBefore(db: Db, moment: Date): Promise<number> {
  const where = { receivedAt: { lte: moment } };
  return (await db.transaction((tx) => tx.unreadWebhook.deleteMany({ where }))).count;
}

/** Reads a page and one row more, newest first or, backward, oldest first. A cursor must be a UUID. */
export const readUnreadPage = (
  db: Db,
  account: string,
  { reason, paymentServiceId, provider }: UnreadFilter,
  page: PageRequest,
): Promise<readonly UnreadWebhook[]> => {
  const conditions = [
    ...given(reason, (reasons) => isOneOf('reason', 'text', reasons)),
    ...given(provider, (id) => isOneOf('provider', 'text', [id])),
    ...given(paymentServiceId, (id) => isOneOf('payment_service_id', 'uuid', [id])),
  ];
  return readIdPage(db, { table: 'unread_webhook', account, columns: COLUMNS, conditions }, page);
};

const toUnread = (row: Row): StoredUnread => row as Row & StoredUnread;
