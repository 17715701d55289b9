import type { InputPlan } from '../input/input-plan.ts';
import type { Json, Route } from '../route.ts';

const text = { type: 'string' } as const;

const detail = {
  type: 'object',
  properties: {
    location: { type: 'string', enum: ['query', 'body', 'path', 'header', 'unknown'] },
    pointer: { ...text, description: 'A JSON pointer below the location.' },
    ...{ message: text, type: text },
  },
  required: ['location', 'pointer', 'message', 'type'],
} as const;

const shared = {
  code: { ...text, description: 'The code of the contract, for example `bad_request`.' },
  reason: { ...text, description: 'The finer code of Paygraph, for example `capture_too_large`.' },
  resource_id: { ...text, description: 'The id of the record that has the value already.' },
} as const;

const error = {
  type: 'object',
  properties: {
    ...{ type: { ...text, const: 'error' }, ...shared, status: { type: 'integer' }, message: text },
    details: { type: 'array', items: { $ref: '#/components/schemas/ErrorDetail' } },
  },
  required: ['type', 'code', 'status', 'reason', 'message', 'details'],
} as const;

const problem = {
  type: 'object',
  description: 'An error as RFC 9457 has it, for a caller whose `Accept` names `application/problem+json`.',
  properties: {
    ...{ type: text, title: text, status: { type: 'integer' }, detail: text, instance: text, ...shared },
    errors: { type: 'array', items: { $ref: '#/components/schemas/ErrorDetail' } },
  },
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'reason', 'errors'],
} as const;

/** Returns the response for an error, in both forms. */
export const errorResponse = (description: string): Json => ({
  description,
  content: {
    'application/json': { schema: { $ref: '#/components/schemas/Error' } },
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
  },
});

/** The responses for errors, and the schemas of their bodies. */
export const ERROR_COMPONENTS = {
  responses: {
    400: errorResponse('The request is not valid, or the state of the record does not allow it.'),
    401: errorResponse('The access token is missing, expired or not valid.'),
    403: errorResponse('The token lacks a scope or the merchant account.'),
    404: errorResponse('The token has access to no record with this id.'),
    409: errorResponse('A unique value is taken, or the first request with the key has not finished.'),
    429: errorResponse('Too many requests. The header `Retry-After` has the seconds to wait.'),
    502: errorResponse('The provider gave no usable answer.'),
    503: errorResponse('The database cannot be reached. Try again with the same key.'),
    default: errorResponse('An error.'),
  },
  schemas: { Error: error, ErrorDetail: detail, Problem: problem },
} as const;

/** Returns the responses for the errors of a route. */
export function errorResponses({ method, path }: Route, { takesKey, beside }: InputPlan): Json {
  const namesRecord = path.includes('{') || beside.size > 0;
  const statuses = [
    ...['400', '401', '403'],
    ...(namesRecord ? ['404'] : []),
    ...(takesKey || method === 'PUT' ? ['409'] : []),
    ...['429', '503', 'default'],
    ...(method === 'GET' ? [] : ['502']),
  ];
  return Object.fromEntries(statuses.map((each) => [each, { $ref: `#/components/responses/${each}` }]));
}
