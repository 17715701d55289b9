import type { AlterTableCmd, Node } from 'libpg-query';
import { columnsKept, constraintOf, namesOf } from './columns.ts';
import { nameOf } from './parts.ts';

/** A constraint that keeps columns from null. */
type Kept = { readonly table: string; readonly columns: readonly string[]; readonly isValid: boolean };

/** The facts of all migrations so far that later rules need. */
export type Notes = {
  /** The constraints that keep columns from null, by table and name. */
  readonly kept: Map<string, Kept>;
  /** The names of unique and primary indexes and constraints. */
  readonly keys: Set<string>;
  /** The columns (`buyer.name`) with NOT NULL. */
  readonly required: Set<string>;
};

export const createNotes = (): Notes => ({ kept: new Map(), keys: new Set(), required: new Set() });

/** The facts of one migration. */
export type OfMigration = {
  /** The unique and primary indexes and constraints that the migration itself has made. */
  readonly ownKeys: Set<string>;
  /** The columns that the migration itself has added or left without a default. */
  readonly bare: Set<string>;
};

/** Notes the columns and keys of a new table or index. */
export function noteCreation(node: Node, notes: Notes & OfMigration): void {
  if ('IndexStmt' in node && node.IndexStmt.unique) noteKey(node.IndexStmt.idxname, notes);
  if (!('CreateStmt' in node)) return;
  const table = nameOf(node.CreateStmt.relation);
  for (const element of node.CreateStmt.tableElts ?? []) {
    if ('Constraint' in element) noteConstraint(table, element, notes);
    if ('ColumnDef' in element) noteColumn(table, element, notes);
  }
}

/** Notes what a command of ALTER TABLE does to columns and constraints. */
export function noteCommand(
  table: string,
  { subtype, name = '', def }: AlterTableCmd,
  notes: Notes & OfMigration,
): void {
  const key = `${table}.${name}`;
  if (subtype === 'AT_AddConstraint' && def) noteConstraint(table, def, notes);
  if (subtype === 'AT_AddColumn' && def) noteColumn(table, def, notes);
  if (subtype === 'AT_SetNotNull') notes.required.add(key);
  if (subtype === 'AT_DropNotNull') notes.required.delete(key);
  if (subtype === 'AT_ColumnDefault') notes.bare[def ? 'delete' : 'add'](key);
  const known = notes.kept.get(key);
  if (subtype === 'AT_ValidateConstraint' && known) notes.kept.set(key, { ...known, isValid: true });
  if (subtype === 'AT_DropConstraint') notes.kept.delete(key);
}

function noteConstraint(table: string, node: Node, notes: Notes & OfMigration): void {
  const constraint = constraintOf(node);
  const { contype, conname, keys, skip_validation: isUnchecked } = constraint;
  if (contype === 'CONSTR_UNIQUE' || contype === 'CONSTR_PRIMARY') noteKey(conname, notes);
  if (contype === 'CONSTR_PRIMARY')
    namesOf(keys).forEach((column) => notes.required.add(`${table}.${column}`));
  const columns = columnsKept(constraint);
  notes.kept.set(`${table}.${conname}`, { table, columns, isValid: !isUnchecked });
}

function noteColumn(table: string, node: Node, { required, bare }: Notes & OfMigration): void {
  if (!('ColumnDef' in node)) return;
  const { colname, constraints = [] } = node.ColumnDef;
  const kinds = new Set(constraints.map((each) => constraintOf(each).contype));
  if (kinds.has('CONSTR_NOTNULL') || kinds.has('CONSTR_PRIMARY')) required.add(`${table}.${colname}`);
  const isFilled = (['CONSTR_DEFAULT', 'CONSTR_GENERATED', 'CONSTR_IDENTITY'] as const).some((kind) =>
    kinds.has(kind),
  );
  if (!isFilled) bare.add(`${table}.${colname}`);
}

function noteKey(name: string | undefined, { keys, ownKeys }: Notes & OfMigration): void {
  if (name === undefined) return;
  keys.add(name);
  ownKeys.add(name);
}

/** The names that Postgres and Prisma give to unique and primary indexes. */
const KEY_NAME = /_p?key\d*$/;

/** True for a unique or primary index or constraint of an earlier migration. ON CONFLICT needs it. */
export const isFormerKey = (name: string, { keys, ownKeys }: Notes & OfMigration): boolean =>
  !ownKeys.has(name) && (keys.has(name) || KEY_NAME.test(name));

/** True if a constraint keeps a column from null in every row. */
export const isKept = (table: string, column: string, { kept }: Notes): boolean =>
  [...kept.values()].some((each) => each.table === table && each.isValid && each.columns.includes(column));
