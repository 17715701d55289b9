import type { ColumnDef, Constraint, Node } from 'libpg-query';
import { hasNode } from './parse-migration.ts';
import type { RuleName } from './rules.ts';

/** Functions that have one value in a statement. Postgres keeps the value beside the table. Others are taken as volatile. */
const STABLE: ReadonlySet<string> = new Set(['now', 'statement_timestamp', 'transaction_timestamp']);

const SERIAL = /^(?:small|big)?serial[248]?$/;

/** Returns the rules that a new column of a table with rows breaks. */
export function ofNewColumn({ constraints = [], typeName }: ColumnDef): RuleName[] {
  const kinds = new Map(constraints.map((each) => constraintOf(each)).map((each) => [each.contype, each]));
  const type = namesOf(typeName?.names).at(-1) ?? '';
  const fallback = kinds.get('CONSTR_DEFAULT');
  const generated = kinds.get('CONSTR_GENERATED');
  const isComputed =
    SERIAL.test(type) ||
    kinds.has('CONSTR_IDENTITY') ||
    (generated !== undefined && generated.generated_kind !== 'v') ||
    (fallback !== undefined && isVolatile(fallback.raw_expr));
  const isRequired = constraints.some((each) => isKeptBy(constraintOf(each)));
  const isMissing = isRequired && fallback === undefined && !isComputed;
  const isRead = ['CONSTR_CHECK', 'CONSTR_FOREIGN', 'CONSTR_UNIQUE', 'CONSTR_PRIMARY'] as const;
  return [
    ...(isComputed ? (['default'] as const) : []),
    ...(isMissing ? (['required'] as const) : []),
    ...(isRead.some((kind) => kinds.has(kind)) ? (['column-constraint'] as const) : []),
  ];
}

const isVolatile = (expression: unknown): boolean =>
  hasNode(
    expression,
    (key, { funcname }) => key === 'FuncCall' && !STABLE.has(namesOf(funcname as Node[]).at(-1) ?? ''),
  );

/** True for a constraint of a column that keeps the column from null. */
const isKeptBy = (constraint: Constraint): boolean =>
  constraint.contype === 'CONSTR_NOTNULL' || columnsKept(constraint).length > 0;

/** Returns the rules that a new constraint of a table with rows breaks. */
export function ofNewConstraint({
  contype,
  skip_validation: isUnchecked,
  indexname,
}: Constraint): RuleName[] {
  if (contype === 'CONSTR_UNIQUE' || contype === 'CONSTR_PRIMARY') return indexname ? [] : ['key'];
  if (contype === 'CONSTR_EXCLUSION') return ['key'];
  const isRead = ['CONSTR_CHECK', 'CONSTR_FOREIGN', 'CONSTR_NOTNULL'].includes(contype ?? '');
  return isRead && !isUnchecked ? ['constraint'] : [];
}

/** Returns the columns that a constraint keeps from null. */
export function columnsKept({ contype, raw_expr: expression, keys }: Constraint): readonly string[] {
  if (contype === 'CONSTR_NOTNULL') return namesOf(keys);
  return contype === 'CONSTR_CHECK' && expression ? columnsNamed(expression) : [];
}

function columnsNamed(node: Node): readonly string[] {
  if ('BoolExpr' in node && node.BoolExpr.boolop === 'AND_EXPR')
    return (node.BoolExpr.args ?? []).flatMap(columnsNamed);
  if (!('NullTest' in node) || node.NullTest.nulltesttype !== 'IS_NOT_NULL') return [];
  const { arg } = node.NullTest;
  return arg && 'ColumnRef' in arg ? namesOf(arg.ColumnRef.fields).slice(-1) : [];
}

export const constraintOf = (node: Node | undefined): Constraint =>
  node && 'Constraint' in node ? node.Constraint : {};

/** Returns the words of a list of names. */
export const namesOf = (nodes: readonly Node[] = []): readonly string[] =>
  nodes.flatMap((node) => ('String' in node ? [node.String.sval ?? ''] : []));
