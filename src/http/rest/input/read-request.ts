import { getNamedType, type GraphQLInputType } from 'graphql';
import type { Detail } from '../../answers/error-body.ts';
import { isObject, parseJson } from '../../../kernel/json.ts';
import type { InputPlan, QueryParameter } from './input-plan.ts';
import { isRequired } from '../json-schema.ts';
import { restName } from '../names.ts';
import type { Plan } from '../plan.ts';
import { readValue, type Issue } from './read-value.ts';
import type { Json } from '../route.ts';

/** The parts of a request that a route reads. */
export type Given = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly key: string | null;
};

/** The variables of the operation, or everything that is wrong with the request. */
export type Read =
  | { readonly variables: Readonly<Record<string, unknown>>; readonly details: null }
  | { readonly variables: null; readonly details: readonly Detail[] };

/** Reads the variables of a route from a request. Refuses unknown names, and values that the schema's types refuse. */
export function readRequest({ route, input }: Plan, given: Given): Read {
  const variables: Record<string, unknown> = { ...route.fixed };
  const details: Detail[] = [];
  for (const [param, { name }] of input.path) variables[name] = given.params[param];
  details.push(...readQuery(input, given.query, variables), ...missingParameters(input, variables));
  if (input.takesKey && given.key !== null) variables['idempotencyKey'] = given.key;
  if (route.body) details.push(...readBody({ route, input }, given.body, variables));
  else if (given.body !== undefined && !isEmpty(given.body))
    details.push(inBody([], 'This path takes no body.', 'value_error.extra'));
  return details.length > 0 ? { variables: null, details } : { variables, details: null };
}

const isEmpty = (body: unknown): boolean =>
  typeof body === 'object' && (body === null || Object.keys(body).length === 0);

function readQuery(
  { query, pages, pagesBack }: InputPlan,
  given: Given['query'],
  variables: Record<string, unknown>,
): readonly Detail[] {
  const issues: Issue[] = [];
  const known = new Map(query.map((each) => [each.name, each]));
  // Some clients name a list `status[]`, as PHP does.
  const lists = new Map(
    query.filter(({ isList, isMap }) => isList || isMap).map((each) => [`${each.name}[]`, each]),
  );
  for (const [name, value] of Object.entries(given)) {
    const parameter = known.get(name) ?? lists.get(name);
    if (parameter) put(variables, parameter.to, readText(parameter, value, issues));
    else if (pages && name === 'limit') Object.assign(variables, { limit: readLimit(value, issues) });
    else if (pages && name === 'cursor') Object.assign(variables, { cursor: value });
    else issues.push({ path: [], message: unknownParameter(known, pages), type: 'value_error.extra' });
  }
  if (pages) turnPage(variables, pagesBack, issues);
  return issues.map(({ path, message, type }) => ({
    ...{ location: 'query', pointer: pointerOf(path), message, type },
  }));
}

const missingParameters = ({ query }: InputPlan, given: Json): readonly Detail[] =>
  query
    .filter(({ input, to: [first = ''] }) => isRequired(input) && given[first] === undefined)
    .map(({ name }) => ({
      ...{ location: 'query', pointer: `/${name}`, message: 'Must be given.', type: 'value_error.missing' },
    }));

const unknownParameter = (known: ReadonlyMap<string, unknown>, pages: boolean): string =>
  `Has an unknown parameter. The parameters are ${[...known.keys(), ...(pages ? ['limit', 'cursor'] : [])].join(', ') || 'none'}.`;

/** A cursor of the previous page starts with this sign. The cursors of the graph start with a letter. */
export const BACKWARDS = '-';

/** Turns `limit` and `cursor` into the arguments of the list. */
function turnPage(variables: Record<string, unknown>, pagesBack: boolean, issues: Issue[]): void {
  const { limit, cursor } = variables;
  delete variables['limit'];
  delete variables['cursor'];
  if (cursor !== undefined && typeof cursor !== 'string') {
    issues.push({ path: ['cursor'], message: 'Must be given once.', type: 'value_error' });
    return;
  }
  const back = pagesBack && cursor?.startsWith(BACKWARDS) === true;
  if (limit !== undefined) variables[back ? 'last' : 'first'] = limit;
  if (cursor !== undefined) variables[back ? 'before' : 'after'] = back ? cursor.slice(1) : cursor;
}

const readLimit = (value: unknown, issues: Issue[]): number | undefined => {
  if (typeof value === 'string' && /^\d{1,9}$/.test(value)) return Number(value);
  issues.push({ path: ['limit'], message: 'Must be a whole number.', type: 'type_error.integer' });
  return undefined;
};

/** Reads a parameter. A list is a parameter that is given several times. */
function readText({ input, name, isList, isMap }: QueryParameter, value: unknown, issues: Issue[]): unknown {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (isMap) return readMap(input.type, texts, name, issues);
  const values = texts.map((text) => parsed(input.type, text));
  if (!isList && values.length > 1) {
    issues.push({ path: [name], message: 'Must be given once.', type: 'value_error' });
    return undefined;
  }
  return readValue(input.type, isList ? values : values[0], [name], issues);
}

/** Reads names with their values. Each text is a JSON object, and all of them together are the value. */
function readMap(type: GraphQLInputType, texts: readonly unknown[], name: string, issues: Issue[]): unknown {
  const maps = texts.map((text) => parseJson(String(text)));
  if (maps.every(isObject))
    return readValue(type, Object.fromEntries(maps.flatMap(Object.entries)), [name], issues);
  issues.push({ path: [name], message: 'Must be JSON such as {"order":"7"}.', type: 'type_error.dict' });
  return undefined;
}

function parsed(type: GraphQLInputType, text: unknown): unknown {
  if (typeof text !== 'string') return text;
  const { name } = getNamedType(type);
  if (name === 'Boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return name === 'Int' && /^-?\d{1,10}$/.test(text) ? Number(text) : text;
}

function put(variables: Record<string, unknown>, [first = '', second]: readonly string[], value: unknown) {
  if (second === undefined) variables[first] = value;
  else variables[first] = { ...(variables[first] as Json | undefined), [second]: value };
}

function readBody(
  { route: { body: shape }, input }: Pick<Plan, 'route' | 'input'>,
  body: unknown,
  variables: Record<string, unknown>,
): readonly Detail[] {
  const given = body ?? {};
  if (typeof given !== 'object' || Array.isArray(given))
    return [inBody([], 'Must be an object.', 'type_error.dict')];
  const members = Object.entries(given);
  const rest: Json = Object.fromEntries(members.filter(([name]) => !input.beside.has(name)));
  const issues: Issue[] = [];
  for (const [member, { name, type, defaultValue }] of input.beside) {
    const value = members.find(([given]) => given === member)?.[1] as unknown;
    if (value !== undefined || defaultValue === undefined)
      variables[name] = readValue(type, value, [member], issues);
  }
  const besides = issues.map(({ path, message, type }) => inBody(path, message, type));
  if (!input.body)
    return isEmpty(rest) ? besides : [...besides, inBody([], 'Has an unknown member.', 'value_error.extra')];
  const inside: Issue[] = [];
  const whole = shape?.form ? shape.form.toArgument(rest) : rest;
  variables[input.body.name] = readValue(input.body.type, whole, [], inside);
  return [
    ...besides,
    ...inside.map(({ path, message, type }) =>
      inBody(shape?.form ? shape.form.toBody(path, rest) : path, message, type),
    ),
  ];
}

const inBody = (path: readonly string[], message: string, type: string): Detail => ({
  ...{ location: 'body', pointer: pointerOf(path), message, type },
});

const pointerOf = (path: readonly string[]): string =>
  path.map((each) => `/${each.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Returns the place in the request of a path that a refusal of the graph names. */
export function placeOf(
  { route, input }: Plan,
  given: Given,
  [argument, ...below]: readonly string[],
): Pick<Detail, 'location' | 'pointer'> {
  if (argument === undefined) return { location: 'unknown', pointer: '' };
  if (argument === 'idempotencyKey') return { location: 'header', pointer: '/idempotency-key' };
  const inPath = [...input.path].find(([, { name }]) => name === argument);
  if (inPath) return { location: 'path', pointer: pointerOf([inPath[0]]) };
  const beside = [...input.beside].find(([, { name }]) => name === argument);
  if (beside) return { location: 'body', pointer: pointerOf([beside[0]]) };
  const path = below.map(restName);
  if (argument === input.body?.name) {
    const body = (given.body ?? {}) as Json;
    return { location: 'body', pointer: pointerOf(route.body?.form?.toBody(path, body) ?? path) };
  }
  if (argument === 'first' || argument === 'last') return { location: 'query', pointer: '/limit' };
  if (argument === 'after' || argument === 'before') return { location: 'query', pointer: '/cursor' };
  const parameter = input.query.find(
    ({ to }) => to[0] === argument && (to.length === 1 || to[1] === below[0]),
  );
  return parameter
    ? { location: 'query', pointer: pointerOf([parameter.name, ...path.slice(parameter.to.length - 1)]) }
    : { location: 'unknown', pointer: pointerOf([restName(argument), ...path]) };
}
