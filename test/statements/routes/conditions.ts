import type { Node } from 'libpg-query';
import {
  UNKNOWN,
  both,
  findColumn,
  namesOf,
  type Fact,
  type Scope,
  type Term,
  type Values,
} from './values.ts';

/** Returns the values of the first column of a subselect. */
export type ValuesOfQuery = (query: Node | undefined, scope: Scope) => readonly Values[];

/** A level with its conditions, and the way to read subselects. */
type Inside = { readonly scope: Scope; readonly ofQuery: ValuesOfQuery };

/** Returns the equalities that hold in every row which passes a condition. */
export function factsOf(test: Node, inside: Inside): readonly Omit<Fact, 'limits'>[] {
  if ('BoolExpr' in test) {
    const parts = (test.BoolExpr.args ?? []).map((each) => factsOf(each, inside));
    if (test.BoolExpr.boolop === 'AND_EXPR') return parts.flat();
    return test.BoolExpr.boolop === 'OR_EXPR' ? inEach(parts) : [];
  }
  if ('SubLink' in test) {
    const { subLinkType, testexpr, operName, subselect } = test.SubLink;
    if (subLinkType !== 'ANY_SUBLINK' || (operName && !isEquality(operName))) return [];
    const values = inside.ofQuery(subselect, inside.scope);
    return equalities(
      partsOf(testexpr).map((each) => termOf(each, inside)),
      values.map((each) => ({ values: each })),
    );
  }
  if (!('A_Expr' in test) || !isEquality(test.A_Expr.name)) return [];
  const { kind, lexpr, rexpr } = test.A_Expr;
  if (kind === 'AEXPR_OP')
    return equalities(
      partsOf(lexpr).map((each) => termOf(each, inside)),
      partsOf(rexpr).map((each) => termOf(each, inside)),
    );
  const list = kind === 'AEXPR_OP_ANY' || kind === 'AEXPR_IN' ? listOf(rexpr) : [];
  return list.length === 1 ? equalities([termOf(lexpr, inside)], [termOf(list[0], inside)]) : [];
}

const equalities = (left: readonly Term[], right: readonly Term[]): readonly Omit<Fact, 'limits'>[] =>
  left.length === right.length
    ? left.map((one, nth) => ({ one, other: right[nth] ?? { values: UNKNOWN } }))
    : [];

/** Returns the facts of the first branch of an OR that all other branches have. */
const inEach = ([first = [], ...rest]: readonly (readonly Omit<Fact, 'limits'>[])[]): readonly Omit<
  Fact,
  'limits'
>[] => first.filter((fact) => rest.every((facts) => facts.some((each) => keyOf(each) === keyOf(fact))));

const keyOf = ({ one, other }: Omit<Fact, 'limits'>): string => JSON.stringify([one, other].map(plain));

const plain = (term: Term): unknown => ('values' in term ? [...term.values] : term);

const isEquality = (name: readonly Node[] | undefined): boolean => namesOf(name).join() === '=';

/** Returns the fields of a row, or the expression itself. */
const partsOf = (node: Node | undefined): readonly (Node | undefined)[] =>
  node && 'RowExpr' in node ? (node.RowExpr.args ?? []) : [node];

function listOf(node: Node | undefined): readonly Node[] {
  if (node && 'TypeCast' in node) return listOf(node.TypeCast.arg);
  if (node && 'A_ArrayExpr' in node) return node.A_ArrayExpr.elements ?? [];
  return node && 'List' in node ? (node.List.items ?? []) : [];
}

function termOf(node: Node | undefined, inside: Inside): Term {
  if (node && 'TypeCast' in node) return termOf(node.TypeCast.arg, inside);
  if (node && 'ColumnRef' in node) {
    const found = findColumn(namesOf(node.ColumnRef.fields), inside.scope);
    if (found?.scope === inside.scope) return { alias: found.alias, column: found.column };
  }
  return { values: valuesOf(node, inside) };
}

/** Returns the parameters that an expression equals in each row of the level. */
export function valuesOf(node: Node | undefined, inside: Inside): Values {
  if (node === undefined) return UNKNOWN;
  if ('ParamRef' in node) return new Set([`$${node.ParamRef.number ?? 0}`]);
  if ('TypeCast' in node) return valuesOf(node.TypeCast.arg, inside);
  if ('CoalesceExpr' in node)
    return (node.CoalesceExpr.args ?? []).map((each) => valuesOf(each, inside)).reduce(both);
  if ('SubLink' in node && node.SubLink.subLinkType === 'EXPR_SUBLINK')
    return inside.ofQuery(node.SubLink.subselect, inside.scope)[0] ?? UNKNOWN;
  if (!('ColumnRef' in node)) return UNKNOWN;
  const found = findColumn(namesOf(node.ColumnRef.fields), inside.scope);
  return found?.scope.items.get(found.alias)?.get(found.column) ?? UNKNOWN;
}
