import type { AlterTableCmd, DropStmt, IndexStmt, Node, RangeVar, RenameStmt } from 'libpg-query';
import { columnsKept, constraintOf, namesOf, ofNewColumn, ofNewConstraint } from './columns.ts';
import { isFormerKey, isKept, noteCommand, noteCreation, type Notes, type OfMigration } from './notes.ts';
import { hasNode } from './parse-migration.ts';
import { keyMade, nameOf, partMade, partNamed, type Part } from './parts.ts';
import type { RuleName } from './rules.ts';
import { PARTITIONED, SMALL } from './tables.ts';

/** The version that has the migrations, and the parts that it may drop, as in `UNREAD`. */
export type Given = { readonly version: string; readonly unread: Readonly<Record<string, string>> };

export type State = Given &
  Notes &
  OfMigration & {
    /** The parts that the migration itself has made, as `partMade` names them. No release knows them. */
    readonly made: Set<string>;
    /** True after a statement of the migration that may hold a lock until the end. */
    hasLocked: boolean;
  };

/** Returns the rules that a statement breaks, and notes its effects. */
export function rulesOf(node: Node, state: State): readonly RuleName[] {
  if ('AlterTableStmt' in node) {
    const { relation, cmds = [] } = node.AlterTableStmt;
    return cmds.flatMap((each) =>
      'AlterTableCmd' in each ? ofCommand(nameOf(relation), each.AlterTableCmd, state) : [],
    );
  }
  const made = partMade(node);
  if (made !== null) state.made.add(made);
  noteCreation(node, state);
  if (!('VariableSetStmt' in node)) state.hasLocked = true;
  if ('IndexStmt' in node) return ofIndex(node.IndexStmt, state);
  if ('RenameStmt' in node) return ofRename(node.RenameStmt, state);
  if ('AlterObjectSchemaStmt' in node) return ['rename'];
  if ('DropStmt' in node) return ofDrop(node.DropStmt, state);
  if ('DoStmt' in node) return ['hidden'];
  if ('AlterEnumStmt' in node && node.AlterEnumStmt.oldVal !== undefined)
    return state.made.has(namesOf(node.AlterEnumStmt.typeName).at(-1) ?? '') ? [] : ['rename'];
  return [...ofWhole(node, state), ...ofSettings(node), ...ofRows(node, state)];
}

/** A table that no list knows has many rows. */
const isLarge = (table: string, { made }: State): boolean => !made.has(table) && !SMALL.has(table);

function ofIndex({ relation, concurrent }: IndexStmt, state: State): readonly RuleName[] {
  const table = nameOf(relation);
  const isOfParent = PARTITIONED.has(table) && relation?.inh !== true;
  return isLarge(table, state) && !concurrent && !isOfParent ? ['index'] : [];
}

function ofRename(statement: RenameStmt, state: State): readonly RuleName[] {
  const { renameType = 'OBJECT_TABLE', relation, object, subname = '', newname = '' } = statement;
  if (UNNAMED.has(renameType)) {
    const former = renameType === 'OBJECT_INDEX' ? nameOf(relation) : subname;
    for (const names of [state.keys, state.ownKeys]) if (names.delete(former)) names.add(newname);
    return [];
  }
  const part: Part = object
    ? partNamed(object)
    : partNamed({ String: { sval: nameOf(relation) || subname } });
  const key = keyMade(part, state.made);
  if (key === null) return ['rename'];
  if (!INSIDE.has(renameType)) {
    state.made.delete(key);
    state.made.add(key.replace(/^[^(]*/, () => newname));
  }
  return [];
}

/** Renamed parts of another part, which keeps its name. */
const INSIDE: ReadonlySet<string> = new Set(['OBJECT_ATTRIBUTE', 'OBJECT_COLUMN', 'OBJECT_DOMCONSTRAINT']);

/** Parts that no statement of a release names. */
const UNNAMED: ReadonlySet<string> = new Set([
  'OBJECT_INDEX',
  'OBJECT_POLICY',
  'OBJECT_STATISTIC_EXT',
  'OBJECT_TABCONSTRAINT',
  'OBJECT_TRIGGER',
]);

function ofDrop({ removeType = 'OBJECT_TABLE', objects = [] }: DropStmt, state: State): readonly RuleName[] {
  const parts = objects.map(partNamed);
  if (removeType === 'OBJECT_INDEX')
    return parts.some(({ name }) => isFormerKey(name, state) && !isUnread(name, state)) ? ['drop'] : [];
  if (UNNAMED.has(removeType)) return [];
  const isFree = (part: Part): boolean => {
    const key = keyMade(part, state.made);
    if (key !== null) state.made.delete(key);
    return key !== null || isUnread(part.name, state);
  };
  return parts.map(isFree).every(Boolean) ? [] : ['drop'];
}

/** True if an earlier version has no reader of the part. */
function isUnread(part: string, { unread, version }: Given): boolean {
  const since = unread[part];
  return since !== undefined && since.localeCompare(version, 'en', { numeric: true }) < 0;
}

/** Returns the rules that one command of ALTER TABLE breaks. */
function ofCommand(table: string, command: AlterTableCmd, state: State): readonly RuleName[] {
  const { subtype, name = '', def } = command;
  const isMissing = isValueMissing(table, command, state);
  const isKey = isFormerKey(name, state) && !isUnread(name, state);
  noteCommand(table, command, state);
  const isValidation = subtype === 'AT_ValidateConstraint';
  const { hasLocked } = state;
  state.hasLocked ||= !isValidation;
  if (state.made.has(table)) return [];
  const newColumn = def && 'ColumnDef' in def && subtype === 'AT_AddColumn' ? ofNewColumn(def.ColumnDef) : [];
  if (isMissing) return ['required'];
  if (subtype === 'AT_DropConstraint') return isKey ? ['drop'] : [];
  if (subtype === 'AT_DropColumn') return isUnread(`${table}.${name}`, state) ? [] : ['drop'];
  if (subtype === 'AT_AlterColumnType') return ['type'];
  // Postgres checks few rows in no time. But the former release writes rows without the column.
  if (!isLarge(table, state)) return newColumn.filter((rule) => rule === 'required');
  if (isValidation) return hasLocked ? ['validate'] : [];
  if (subtype === 'AT_AddColumn') return newColumn;
  if (subtype === 'AT_AddConstraint') return ofNewConstraint(constraintOf(def));
  if (subtype === 'AT_SetNotNull') return isKept(table, name, state) ? [] : ['not-null'];
  return REWRITES.has(subtype ?? '') ? ['rewrite'] : [];
}

/** True if a command asks for a value of a column that the former release does not write. */
function isValueMissing(
  table: string,
  { subtype, name, def }: AlterTableCmd,
  { bare, required }: State,
): boolean {
  const column = `${table}.${name}`;
  if (subtype === 'AT_SetNotNull') return bare.has(column);
  if (subtype === 'AT_ColumnDefault') return def === undefined && required.has(column);
  if (subtype !== 'AT_AddConstraint') return false;
  return columnsKept(constraintOf(def)).some((each) => bare.has(`${table}.${each}`));
}

/** Commands of ALTER TABLE that write each row anew. */
const REWRITES: ReadonlySet<string> = new Set([
  'AT_SetAccessMethod',
  'AT_SetExpression',
  'AT_SetLogged',
  'AT_SetTableSpace',
  'AT_SetUnLogged',
]);

/** Returns the rules that a statement about a whole table breaks. */
function ofWhole(node: Node, state: State): readonly RuleName[] {
  const large = (relations: readonly Node[] = []): boolean =>
    relations.some((each) => 'RangeVar' in each && isLarge(nameOf(each.RangeVar), state));
  if ('LockStmt' in node) return large(node.LockStmt.relations) ? ['lock'] : [];
  if ('TruncateStmt' in node) return large(node.TruncateStmt.relations) ? ['rewrite'] : [];
  if ('ClusterStmt' in node) return ['rewrite'];
  const options =
    'VacuumStmt' in node ? node.VacuumStmt.options : 'ReindexStmt' in node ? node.ReindexStmt.params : [];
  const words = (options ?? []).flatMap((each) => ('DefElem' in each ? [each.DefElem.defname ?? ''] : []));
  if ('VacuumStmt' in node) return words.includes('full') ? ['rewrite'] : [];
  return 'ReindexStmt' in node && !words.includes('concurrently') ? ['rewrite'] : [];
}

/** Returns the rule that a change of the time-out or of the transaction breaks. */
function ofSettings(node: Node): readonly RuleName[] {
  if ('TransactionStmt' in node) return ['timeout'];
  if ('VariableSetStmt' in node) {
    const { kind, name } = node.VariableSetStmt;
    return kind === 'VAR_RESET_ALL' || name === TIMEOUT ? ['timeout'] : [];
  }
  const isSet = hasNode(
    node,
    (key, { funcname, args }) =>
      key === 'FuncCall' &&
      namesOf(funcname as Node[]).includes('set_config') &&
      JSON.stringify(args).includes(TIMEOUT),
  );
  return isSet ? ['timeout'] : [];
}

const TIMEOUT = 'lock_timeout';

/** Returns the rule that a change of rows breaks, also inside a WITH. */
function ofRows(node: Node, state: State): readonly RuleName[] {
  const isChanged = hasNode(
    node,
    (key, { relation }) =>
      ['UpdateStmt', 'DeleteStmt', 'MergeStmt'].includes(key) && isLarge(nameOf(relation as RangeVar), state),
  );
  return isChanged ? ['rows'] : [];
}
