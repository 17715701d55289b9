import type { PageRequest } from '../../kernel/page.ts';
import type { Part } from '../../platform/database/built-statement.ts';
import { lineAndWhole, type LineOrWhole } from '../../platform/database/column-set.ts';
import type { Db } from '../../platform/database/db.ts';
import type { AuditEntry as Row } from '../../platform/generated/prisma/client.ts';
import type { Actor } from '../../platform/database/acting.ts';
import { given, readIdPage } from '../../platform/lists/id-page.sql.ts';
import { camel } from '../../platform/database/json-row.ts';
import { between, equal, isOneOf } from '../../platform/lists/list-filters.sql.ts';
import type { AuditEntry, AuditFilter, Fields } from './audit-entry.ts';
import { readPlaces, type Place } from './chain/blocks.sql.ts';
import { readIdsOfSubject, type IdRange } from './by-subject.sql.ts';

/** The column sets of an entry. A line has no changed fields. */
const COLUMNS = lineAndWhole<Stored>({
  id: 'line',
  action: 'line',
  targetType: 'line',
  targetId: 'line',
  actor: 'line',
  createdAt: 'line',
  before: 'whole',
  after: 'whole',
});

/** Reads a page and one row more, newest first or, backward, oldest first. A cursor must be a UUID. */
export async function readEntries(
  db: Db,
  account: string,
  page: PageRequest,
  { filter, columns }: { readonly filter: AuditFilter; readonly columns: LineOrWhole },
): Promise<readonly AuditEntry[]> {
  const list = { table: 'audit_entry', account, columns: COLUMNS[columns] };
  if (filter.actorSubject == null) {
    const rows = await readIdPage(db, { ...list, conditions: conditionsOf(filter) }, page);
    return await withPlaces(db, account, rows);
  }
  // The subject is inside a JSON text, so that a statement of its own finds the ids.
  const ids = await readIdsOfSubject(db, account, page, filter, rangeOf(filter));
  const conditions = [isOneOf('id', 'uuid', ids)];
  const rows = await readIdPage(db, { ...list, conditions }, { ...page, cursor: null });
  return await withPlaces(db, account, rows);
}

/** Converts rows. The changed fields are made when they are read. A line throws then. */
async function withPlaces(db: Db, account: string, rows: readonly Stored[]): Promise<readonly AuditEntry[]> {
  if (rows.length === 0) return [];
  const places = await readPlaces(
    db,
    account,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => new EntryOfRow(row, places.get(row.id) ?? null));
}

/** A time to export. Null has no bound. */
export type Period = { readonly from: Date | null; readonly to: Date | null };

/** An entry in stored form, with its place in the chain. */
export type Exported = Row & { readonly place: Place | null };

/** Reads entries of a period in stored form, oldest first, after an id. */
export async function readForExport(
  db: Db,
  merchantAccountId: string,
  { from, to }: Period,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<readonly Exported[]> {
  const rows = await db.prisma.auditEntry.findMany({
    where: {
      merchantAccountId,
      id: {
        ...(after !== null && { gt: after }),
        ...(from !== null && { gte: idAt(from, '0') }),
        ...(to !== null && { lte: idAt(to, 'f') }),
      },
    },
    orderBy: { id: 'asc' },
    take: limit,
  });
  const places = await readPlaces(
    db,
    merchantAccountId,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...row, place: places.get(row.id) ?? null }));
}

const conditionsOf = ({
  actor,
  action,
  targetId,
  from,
  to,
}: AuditFilter): readonly Part<readonly string[]>[] => [
  ...given(actor ?? null, (id) => equal('actor_id', 'text', id)),
  ...given(action ?? null, (name) =>
    name.endsWith('.*')
      ? (value) => [`starts_with(t.action, ${value(name.slice(0, -1))}::text)`]
      : equal('action', 'text', name),
  ),
  ...given(targetId ?? null, (id) => equal('target_id', 'text', id)),
  // An id begins with its moment, so the primary key finds the entries of a time.
  ...between('id', 'uuid', { from: from ? idAt(from, '0') : null, to: to ? idAt(to, 'f') : null }),
];

/** Returns the ids of a time. A missing end has no bound. */
const rangeOf = ({ from, to }: AuditFilter): IdRange => ({
  from: from == null ? '00000000-0000-0000-0000-000000000000' : idAt(from, '0'),
  to: to == null ? 'ffffffff-ffff-ffff-ffff-ffffffffffff' : idAt(to, 'f'),
});

/** Returns the smallest or greatest id of a moment. */
function idAt(moment: Date, rest: '0' | 'f'): string {
  const ms = Math.min(Math.max(moment.getTime(), 0), 0xffffffffffff);
  const digits = ms.toString(16).padStart(12, '0') + rest.repeat(20);
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** An entry as the database answers it. */
type Stored = Omit<Row, 'merchantAccountId' | 'actorKind' | 'actorId' | 'position'>;

class EntryOfRow implements AuditEntry {
  readonly id: string;
  readonly action: AuditEntry['action'];
  readonly target: AuditEntry['target'];
  readonly actor: Actor;
  readonly createdAt: Date;
  readonly sequence: bigint | null;
  readonly hash: string | null;
  readonly #row: Stored;

  constructor(row: Stored, place: Place | null) {
    this.id = row.id;
    this.action = row.action;
    this.target = { type: row.targetType, id: row.targetId };
    // The trigger writes the text of `actingAs`, or the kinds `system` and `database`.
    this.actor = JSON.parse(row.actor) as Actor;
    this.createdAt = row.createdAt;
    this.sequence = place?.sequence ?? null;
    this.hash = place?.hash ?? null;
    this.#row = row;
  }

  get before(): Fields | null {
    return fieldsOf(this.#row.before);
  }

  get after(): Fields | null {
    return fieldsOf(this.#row.after);
  }
}

/** Returns the fields under the names of the API. The database stores the names of columns. */
function fieldsOf(text: string | null): Fields | null {
  if (text === null) return null;
  const stored = JSON.parse(text) as Fields;
  return Object.fromEntries(Object.entries(stored).map(([name, value]) => [camel(name), value]));
}
