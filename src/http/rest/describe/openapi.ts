import { getNamedType, isInputObjectType } from 'graphql';
import type { App } from '../../../app.ts';
import type { Graph } from '../../../graph/schema.ts';
import { createRest } from '../api.ts';
import { ERROR_COMPONENTS, errorResponses } from './openapi-errors.ts';
import { SESSION_PATH } from './openapi-session.ts';
import { readInputLimits } from '../input/input-limits.ts';
import { createInputSchemas, isRequired, limited, scalarSchema, type InputSchemas } from '../json-schema.ts';
import type { Reword } from '../names.ts';
import type { Plan } from '../plan.ts';
import type { QueryParameter } from '../input/input-plan.ts';
import { statusOf, type Json, type JsonSchema, type Preferred, type Route } from '../route.ts';
import { fieldSchema, formSchema } from '../selection.ts';

/** The description of the API, as OpenAPI 3.1. */
export type OpenApi = {
  readonly openapi: string;
  readonly info: Json;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> } & Json;
} & Json;

export type Operation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: {
      readonly 'application/json': { readonly schema: JsonSchema; readonly example?: Json };
    };
  };
  readonly responses: Readonly<Record<string, Json>>;
  readonly security: readonly Json[];
};

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
};

/** Describes every path of the table. The schemas are made of the types that check and answer. */
export function describeRest(
  app: App,
  graph: Pick<Graph, 'schema' | 'scopes'>,
  { url, prefix }: { readonly url: string; readonly prefix: string },
): OpenApi {
  const { plans, reword } = createRest(graph);
  const inputs = createInputSchemas(graph.schema, reword, readInputLimits(app, graph.schema));
  const paths: Record<string, Record<string, Operation>> = {};
  for (const plan of plans) {
    const { path, method } = plan.route;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(plan, inputs, reword) };
  }
  const records = plans.flatMap(({ route: { answer }, selected }) =>
    answer.kind === 'none'
      ? []
      : [[answer.record.name, formSchema(answer.record, selected, reword)] as const],
  );
  return {
    openapi: '3.1.1',
    info: {
      title: 'Paygraph',
      version: '1',
      description: ABOUT,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${url}${prefix}` }],
    security: [{ bearer: [] }],
    tags: [...new Set(plans.map(({ route }) => route.tag))].map((name) => ({ name })),
    paths: { ...paths, ...SESSION_PATH(url) },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      ...ERROR_COMPONENTS,
      schemas: { ...inputs.components(), ...Object.fromEntries(records), ...ERROR_COMPONENTS.schemas },
    },
  };
}

const ABOUT =
  `The REST paths of Paygraph. Each path runs an operation of the GraphQL API, so a record of one is the record of
the other.`.replaceAll('\n', ' ');

function operationOf(plan: Plan, inputs: InputSchemas, reword: Reword): Operation {
  const { route, input, scopes, description } = plan;
  const body = route.body && requestBodyOf(plan, inputs);
  return {
    operationId: operationIdOf(route),
    tags: [route.tag],
    summary: route.summary,
    ...(description && { description: reword(description) }),
    security: scopes.map((group) => ({ bearer: group })),
    parameters: [
      ...pathParameters(route),
      ...input.query.map((each) => queryParameter(each, inputs)),
      ...(input.pages ? [limitOf(input.limitDefault), CURSOR] : []),
      ACCOUNT,
      ...(input.takesKey ? [KEY] : []),
      ...(route.preferred ? [preferOf(route.preferred)] : []),
    ],
    ...(body && { requestBody: body }),
    responses: { [statusOf(route)]: success(plan, reword), ...errorResponses(route, input) },
  };
}

/** Returns the name of an operation, for example `get_payment_links_payment_link_id`. */
export const operationIdOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string =>
  `${method.toLowerCase()}${path.replaceAll(/[{}]/g, '').replaceAll(/[/-]/g, '_')}`;

const pathParameters = ({ path }: Route): readonly Parameter[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    ...{ name, in: 'path', required: true, schema: { type: 'string' } },
  }));

function queryParameter({ name, input, within, isMap }: QueryParameter, inputs: InputSchemas): Parameter {
  const { description, default: standard } = inputs.ofInput(input);
  const plain = inputs.ofGiven(input.type);
  const own = within === null ? plain : limited(plain, inputs.limitsOf(within, input.name));
  const schema = isMap ? MAPS : own;
  return {
    ...{ name, in: 'query', required: isRequired(input) },
    ...(typeof description === 'string' && { description }),
    schema: standard === undefined ? schema : { ...schema, default: standard },
  };
}

/** Names with their values, as JSON. */
const MAPS: JsonSchema = {
  ...{ type: 'array', maxItems: 5, examples: [['{"order":"7"}']] },
  items: { type: 'string', contentMediaType: 'application/json', contentSchema: scalarSchema('StringMap') },
};

const limitOf = (standard: number): Parameter => ({
  ...{ name: 'limit', in: 'query', required: false, description: 'The number of records on the page.' },
  schema: { type: 'integer', minimum: 1, maximum: 100, default: standard },
});
const CURSOR: Parameter = {
  ...{ name: 'cursor', in: 'query', required: false },
  description: 'The `next_cursor` or `previous_cursor` of another page.',
  schema: { type: 'string', minLength: 1, maxLength: 1000 },
};
const ACCOUNT: Parameter = {
  ...{ name: 'x-service-merchant-account-id', in: 'header', required: false, schema: { type: 'string' } },
  description: 'The merchant account of the request. The default is the account of the key, or `default`.',
};
const KEY: Parameter = {
  ...{ name: 'idempotency-key', in: 'header', required: false },
  description: 'A repeated request with the same key and body gets the stored result. Nothing is done again.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const preferOf = ({ resource }: Preferred): Parameter => ({
  ...{ name: 'prefer', in: 'header', required: false, schema: { type: 'string' } },
  description: `\`resource=${resource}\` answers that record instead of the payment.`,
});

function requestBodyOf({ route, input }: Plan, inputs: InputSchemas): Operation['requestBody'] {
  const { form, example } = route.body ?? {};
  const besides = [...input.beside].map(([name, argument]) => [name, inputs.ofInput(argument)] as const);
  const needed = [...input.beside].filter(([, argument]) => isRequired(argument)).map(([name]) => name);
  const named = input.body && getNamedType(input.body.type);
  const isWhole = named && besides.length === 0 && !form;
  const members = isInputObjectType(named) ? inputs.members(named.name) : { properties: {}, required: [] };
  const plain: JsonSchema = {
    type: 'object',
    properties: { ...Object.fromEntries(besides), ...members.properties },
    required: [...needed, ...members.required],
    additionalProperties: false,
  };
  const schema = isWhole ? inputs.ofGiven(named) : (form?.schema(plain, inputs) ?? plain);
  const required = needed.length > 0 || members.required.length > 0;
  return { required, content: { 'application/json': { schema, ...(example && { example }) } } };
}

function success({ route: { answer, preferred }, besides }: Plan, reword: Reword): Json {
  if (answer.kind === 'none') return { description: 'Done. The answer has no body.' };
  const record = { $ref: `#/components/schemas/${answer.record.name}` };
  const headers = { 'x-request-id': { schema: { type: 'string' } } };
  const json = (description: string, schema: JsonSchema): Json => ({
    ...{ description, headers, content: { 'application/json': { schema } } },
  });
  if (answer.kind === 'list') return json('All records.', { ...LIST, properties: itemsOf(record) });
  if (answer.kind === 'page')
    return json('A page of records.', {
      ...LIST,
      properties: { ...itemsOf(record), ...PAGE },
      required: ['items', ...Object.keys(PAGE)],
    });
  if (preferred && preferred.answer.kind === 'record')
    return json('The record, or the record that the header `prefer` names.', {
      oneOf: [record, { $ref: `#/components/schemas/${preferred.answer.record.name}` }],
    });
  if (besides.size === 0) return json('The record.', record);
  const properties = Object.fromEntries(
    [...besides].map(([name, each]) => [name, fieldSchema(each, reword)]),
  );
  const beside = { type: 'object', properties, required: [...besides.keys()] };
  return json('The record.', { allOf: [record, beside] });
}

const itemsOf = (record: JsonSchema): Json => ({ items: { type: 'array', items: record } });

const LIST: JsonSchema = { type: 'object', required: ['items'] };

const cursor = { type: ['string', 'null'] };
const PAGE = { limit: { type: 'integer' }, next_cursor: cursor, previous_cursor: cursor };
