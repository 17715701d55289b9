import type { AlterTableCmd, DropStmt, IndexStmt, Node, RangeVar, RenameStmt } from 'libpg-query';
import { columnsKept, constraintOf, namesOf, ofNewColumn, ofNewConstraint } from './columns.ts';
import { hasNode } from './parse-migration.ts';
import type { RuleName } from './rules.ts';
import { PARTITIONED, SMALL } from './tables.ts';

/** The version that has the migrations, and the parts that it may drop, as in `UNREAD`. */
export type Given = { readonly version: string; readonly unread: Readonly<Record<string, string>> };

/** A constraint that keeps columns from null. */
type Kept = { readonly table: string; readonly columns: readonly string[]; readonly isValid: boolean };

export type State = Given & {
  /** The constraints of all migrations so far, by table and name. */
  readonly kept: Map<string, Kept>;
  /** The tables and functions (`mark()`) that the migration itself has made. The tables are empty. */
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
  if ('CreateStmt' in node) state.made.add(nameOf(node.CreateStmt.relation));
  if ('CreateFunctionStmt' in node && !node.CreateFunctionStmt.replace)
    state.made.add(functionNamed(node.CreateFunctionStmt.funcname));
  if (!('VariableSetStmt' in node)) state.hasLocked = true;
  if ('IndexStmt' in node) return ofIndex(node.IndexStmt, state);
  if ('RenameStmt' in node) return ofRename(node.RenameStmt, state);
  if ('AlterObjectSchemaStmt' in node) return ['rename'];
  if ('DropStmt' in node) return ofDrop(node.DropStmt, state);
  if ('DoStmt' in node) return ['hidden'];
  return [...ofWhole(node, state), ...ofSettings(node), ...ofRows(node, state)];
}

const nameOf = (relation: RangeVar | undefined): string => relation?.relname ?? '';

/** A table that no list knows has many rows. */
const isLarge = (table: string, { made }: State): boolean => !made.has(table) && !SMALL.has(table);

function ofIndex({ relation, concurrent }: IndexStmt, state: State): readonly RuleName[] {
  const table = nameOf(relation);
  const isOfParent = PARTITIONED.has(table) && relation?.inh !== true;
  return isLarge(table, state) && !concurrent && !isOfParent ? ['index'] : [];
}

function ofRename(
  { renameType = 'OBJECT_TABLE', relation }: RenameStmt,
  { made }: State,
): readonly RuleName[] {
  return !UNNAMED.has(renameType) && !made.has(nameOf(relation)) ? ['rename'] : [];
}

/** Parts that no statement of a release names. */
const UNNAMED: ReadonlySet<string> = new Set([
  'OBJECT_INDEX',
  'OBJECT_POLICY',
  'OBJECT_STATISTIC_EXT',
  'OBJECT_TABCONSTRAINT',
  'OBJECT_TRIGGER',
]);

function ofDrop({ removeType = 'OBJECT_TABLE', objects = [] }: DropStmt, state: State): readonly RuleName[] {
  if (UNNAMED.has(removeType)) return [];
  const names = objects.map(partNamed);
  return names.every((name) => state.made.has(name) || isUnread(name, state)) ? [] : ['drop'];
}

/** Returns the name of a part as in `UNREAD`, without its schema. */
function partNamed(node: Node): string {
  if ('ObjectWithArgs' in node) return functionNamed(node.ObjectWithArgs.objname);
  if ('TypeName' in node) return namesOf(node.TypeName.names).at(-1) ?? '';
  return namesOf('List' in node ? node.List.items : [node]).at(-1) ?? '';
}

const functionNamed = (words: readonly Node[] = []): string => `${namesOf(words).at(-1) ?? ''}()`;

/** True if an earlier version has no reader of the part. */
function isUnread(part: string, { unread, version }: Given): boolean {
  const since = unread[part];
  return since !== undefined && since.localeCompare(version, 'en', { numeric: true }) < 0;
}

/** Returns the rules that one command of ALTER TABLE breaks. */
function ofCommand(table: string, command: AlterTableCmd, state: State): readonly RuleName[] {
  const { subtype, name = '', def } = command;
  noteConstraint(table, command, state);
  const isValidation = subtype === 'AT_ValidateConstraint';
  const { hasLocked } = state;
  state.hasLocked ||= !isValidation;
  if (state.made.has(table)) return [];
  const newColumn = def && 'ColumnDef' in def && subtype === 'AT_AddColumn' ? ofNewColumn(def.ColumnDef) : [];
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

/** Commands of ALTER TABLE that write each row anew. */
const REWRITES: ReadonlySet<string> = new Set([
  'AT_SetAccessMethod',
  'AT_SetExpression',
  'AT_SetLogged',
  'AT_SetTableSpace',
  'AT_SetUnLogged',
]);

function noteConstraint(table: string, { subtype, name, def }: AlterTableCmd, { kept }: State): void {
  if (subtype === 'AT_AddConstraint') {
    const constraint = constraintOf(def);
    const columns = columnsKept(constraint);
    kept.set(`${table}.${constraint.conname}`, { table, columns, isValid: !constraint.skip_validation });
  }
  const key = `${table}.${name}`;
  const known = kept.get(key);
  if (subtype === 'AT_ValidateConstraint' && known) kept.set(key, { ...known, isValid: true });
  if (subtype === 'AT_DropConstraint') kept.delete(key);
}

const isKept = (table: string, column: string, { kept }: State): boolean =>
  [...kept.values()].some((each) => each.table === table && each.isValid && each.columns.includes(column));

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
