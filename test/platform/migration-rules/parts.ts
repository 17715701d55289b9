import type { Node, ObjectWithArgs, RangeVar } from 'libpg-query';
import { namesOf } from './columns.ts';

/** Returns the name of the part that a statement certainly makes: a table, view, type, schema, sequence or function. */
export function partMade(node: Node): string | null {
  if ('CreateStmt' in node) return unlessThere(node.CreateStmt, nameOf(node.CreateStmt.relation));
  if ('CreateTableAsStmt' in node)
    return unlessThere(node.CreateTableAsStmt, nameOf(node.CreateTableAsStmt.into?.rel));
  if ('CreateSeqStmt' in node) return unlessThere(node.CreateSeqStmt, nameOf(node.CreateSeqStmt.sequence));
  if ('CreateSchemaStmt' in node)
    return unlessThere(node.CreateSchemaStmt, node.CreateSchemaStmt.schemaname ?? '');
  if ('ViewStmt' in node) return node.ViewStmt.replace ? null : nameOf(node.ViewStmt.view);
  if ('CompositeTypeStmt' in node) return nameOf(node.CompositeTypeStmt.typevar);
  if ('CreateEnumStmt' in node) return lastOf(node.CreateEnumStmt.typeName);
  if ('CreateDomainStmt' in node) return lastOf(node.CreateDomainStmt.domainname);
  if (!('CreateFunctionStmt' in node) || node.CreateFunctionStmt.replace) return null;
  return signatureOf(node.CreateFunctionStmt.funcname, node.CreateFunctionStmt.parameters);
}

/** With IF NOT EXISTS, the part may be one of a former release. */
const unlessThere = (
  { if_not_exists: isOptional }: { readonly if_not_exists?: boolean },
  name: string,
): string | null => (isOptional ? null : name);

export const nameOf = (relation: RangeVar | undefined): string => relation?.relname ?? '';

const lastOf = (words: readonly Node[] = []): string => namesOf(words).at(-1) ?? '';

/** A part that a statement names. */
export type Part = {
  /** The name as in `UNREAD`, without a schema. */
  readonly name: string;
  /** The name as in `partMade`. A function has the types of its arguments. */
  readonly key: string;
  /** True for a function without the types of its arguments. It is then the only one of its name. */
  readonly isOnly: boolean;
};

/** Returns the part that DROP or RENAME names. */
export function partNamed(node: Node): Part {
  if ('ObjectWithArgs' in node) return functionNamed(node.ObjectWithArgs);
  const words = 'TypeName' in node ? node.TypeName.names : 'List' in node ? node.List.items : [node];
  const name = lastOf(words);
  return { name, key: name, isOnly: false };
}

function functionNamed({ objname, objfuncargs, objargs, args_unspecified }: ObjectWithArgs): Part {
  const key = signatureOf(objname, objfuncargs ?? objargs);
  return { name: `${lastOf(objname)}()`, key, isOnly: args_unspecified === true };
}

/** Returns the name of a function with the types of its arguments, such as `mark(uuid,int4[])`. */
function signatureOf(words: readonly Node[] | undefined, parameters: readonly Node[] = []): string {
  return `${lastOf(words)}(${parameters.flatMap(typesOf).join()})`;
}

function typesOf(node: Node): readonly string[] {
  if ('FunctionParameter' in node) {
    const { mode = 'FUNC_PARAM_DEFAULT', argType } = node.FunctionParameter;
    const isResult = mode === 'FUNC_PARAM_OUT' || mode === 'FUNC_PARAM_TABLE';
    return isResult || !argType ? [] : typesOf({ TypeName: argType });
  }
  if (!('TypeName' in node)) return [];
  const { names, arrayBounds = [] } = node.TypeName;
  return [`${lastOf(names)}${'[]'.repeat(arrayBounds.length)}`];
}

/** Returns the key of a part among those that the migration has made. Null if the part is older. */
export function keyMade({ key, isOnly }: Part, made: ReadonlySet<string>): string | null {
  if (!isOnly) return made.has(key) ? key : null;
  const [start] = key.split('(');
  return [...made].find((each) => each.startsWith(`${start}(`)) ?? null;
}
