import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
} from 'graphql';
import { restName } from '../names.ts';
import { PAGING, type Route } from '../route.ts';

/** A query parameter, and its place among the variables. */
export type QueryParameter = {
  readonly name: string;
  /** The names from the argument to the value. */
  readonly to: readonly string[];
  readonly input: GraphQLArgument | GraphQLInputField;
  /** The input type that has the value as a field. Null for an argument. */
  readonly within: string | null;
  readonly isList: boolean;
  /** True for names with their values, which come as JSON. */
  readonly isMap: boolean;
};

/** The places of a request where the values of a route come from. */
export type InputPlan = {
  /** All arguments on the way, as variables. */
  readonly variables: readonly GraphQLArgument[];
  readonly path: ReadonlyMap<string, GraphQLArgument>;
  readonly query: readonly QueryParameter[];
  /** True for a list with `limit` and `cursor`. */
  readonly pages: boolean;
  /** The number of records on a page without `limit`. */
  readonly limitDefault: number;
  /** True for a list that can be read backwards. */
  readonly pagesBack: boolean;
  /** The argument for the body. */
  readonly body: GraphQLArgument | null;
  readonly beside: ReadonlyMap<string, GraphQLArgument>;
  /** True if the header `Idempotency-Key` is taken. */
  readonly takesKey: boolean;
};

/** Returns the places of all arguments. Throws for a name in the route that the schema does not have. */
export function createInputPlan(route: Route, steps: readonly GraphQLField<unknown, unknown>[]): InputPlan {
  const variables = new Map(steps.flatMap(({ args }) => args.map((each) => [each.name, each] as const)));
  const take = (name: string): GraphQLArgument => {
    const found = variables.get(name);
    if (!found) throw new Error(`${route.field} has no argument ${name}.`);
    return found;
  };
  const { params = {}, body, names = {}, fixed = {} } = route;
  const path = new Map(Object.entries(params).map(([param, name]) => [param, take(name)]));
  const beside = new Map(Object.entries(body?.beside ?? {}).map(([member, name]) => [member, take(name)]));
  const whole = body?.argument === undefined ? null : take(body.argument);
  const taken = new Set([
    ...[...path.values(), ...beside.values(), ...(whole ? [whole] : [])].map(({ name }) => name),
    ...[...PAGING, 'idempotencyKey', ...(route.locate ? LOCATED : [])],
    ...Object.keys(fixed).map((name) => take(name).name),
  ]);
  const open = [...variables.values()].filter(({ name }) => !taken.has(name));
  const query = open.flatMap((each) => parametersOf(each, names));
  refuseForgotten(route, path);
  return {
    ...{ variables: [...variables.values()], path, query, body: whole, beside },
    pages: variables.has('first') && route.answer.kind === 'page',
    limitDefault: (variables.get('first')?.defaultValue as number | undefined) ?? LIMIT_DEFAULT,
    pagesBack: variables.has('last'),
    takesKey: variables.has('idempotencyKey') && !('idempotencyKey' in fixed),
  };
}

/** The default of lists without one of their own. */
const LIMIT_DEFAULT = 20;

/** The argument that `locate` finds. */
const LOCATED: readonly string[] = ['id'];

/** Throws for a parameter that the path does not have. */
function refuseForgotten({ path: text }: Route, path: ReadonlyMap<string, unknown>): void {
  const named = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const missing = [...path.keys()].filter((name) => !named.includes(name));
  if (missing.length > 0) throw new Error(`${text} has no parameter ${missing.join(', ')}.`);
}

/** An argument is one parameter. An argument with fields, such as a filter, is a parameter for each field. */
function parametersOf(
  argument: GraphQLArgument,
  names: Readonly<Record<string, string>>,
): readonly QueryParameter[] {
  const type = getNullableType(argument.type);
  if (!isInputObjectType(type)) return [named(parameterOf(argument, [argument.name]), names)];
  return Object.values(type.getFields())
    .filter((field) => isFlat(field.type))
    .map((field) => named(parameterOf(field, [argument.name, field.name], type.name), names));
}

const named = (parameter: QueryParameter, names: Readonly<Record<string, string>>): QueryParameter => ({
  ...parameter,
  name: names[parameter.input.name] ?? parameter.name,
});

const parameterOf = (
  input: GraphQLArgument | GraphQLInputField,
  to: readonly string[],
  within: string | null = null,
): QueryParameter => ({
  ...{ name: restName(input.name), to, input, within },
  isList: isListType(getNullableType(input.type)),
  isMap: getNamedType(input.type).name === 'StringMap',
});

/** True for a type that a query string can hold. */
const isFlat = (type: GraphQLInputType): boolean => {
  const named = getNamedType(type);
  return !isInputObjectType(named) && !OBJECTS.includes(named.name);
};

const OBJECTS: readonly string[] = ['JSONObject'];
