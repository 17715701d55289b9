import { isObject } from '../../../kernel/json.ts';
import type { BodyForm, Json, RecordForm, Route } from '../route.ts';
import { byId } from './by-id.ts';

const STATUS = 'The result, as EMV 3-D Secure names it.';

const nested = (status: unknown): Json => ({ transaction_status: status });

const scenario: RecordForm = {
  name: 'ThreeDSecureScenario',
  on: 'ThreeDSScenario',
  type: 'three-d-secure-scenario',
  fields: `id merchantAccountId position
    conditions { firstName lastName emailAddress amount externalIdentifier cardNumber { bin lastFour } }
    outcome { enrollment version authentication challengeResult } createdAt updatedAt`,
  hidden: ['outcome'],
  computed: {
    outcome: {
      schema: {
        type: 'object',
        properties: {
          ...{ enrollment: { type: 'string' }, version: { type: 'string' } },
          authentication: { type: 'object', properties: { transaction_status: { type: 'string' } } },
          result: { type: ['object', 'null'], properties: { transaction_status: { type: 'string' } } },
        },
        required: ['enrollment', 'version', 'authentication', 'result'],
      },
      from: ({ outcome }) => {
        const { authentication, challenge_result: result, ...rest } = outcome as Json;
        return {
          ...{ ...rest, authentication: nested(authentication) },
          result: result === null ? null : nested(result),
        };
      },
    },
  },
};

/** An outcome holds objects with a `transaction_status`. The graph takes the statuses alone. */
const nestedOutcome: BodyForm = {
  toArgument: (body) => {
    const { outcome } = body;
    if (!isObject(outcome)) return body;
    const { authentication, result, challenge_result: unknown, ...rest } = outcome;
    return {
      ...body,
      outcome: {
        ...rest,
        ...(unknown !== undefined && { unknown }),
        ...(authentication !== undefined && { authentication: statusIn(authentication) }),
        ...(result !== undefined && { challenge_result: statusIn(result) }),
      },
    };
  },
  toBody: (path) => {
    const [first, second, ...rest] = path;
    if (first !== 'outcome' || second === undefined) return path;
    const name = second === 'challenge_result' ? 'result' : second;
    const isNested = name === 'result' || name === 'authentication';
    return [first, name, ...(isNested ? ['transaction_status'] : []), ...rest];
  },
  schema: (argument, { members }) => {
    const { properties, required } = members('ThreeDSOutcomeInput');
    const { authentication, challenge_result: result, ...rest } = properties;
    const status = (schema: unknown) => ({
      ...{ type: ['object', 'null'], properties: { transaction_status: schema }, description: STATUS },
      ...{ required: ['transaction_status'], additionalProperties: false },
    });
    const outcome = {
      type: ['object', 'null'],
      properties: { ...rest, authentication: status(authentication), result: status(result) },
      ...{ required, additionalProperties: false },
    };
    return { ...argument, properties: { ...(argument['properties'] as Json), outcome } };
  },
};

const statusIn = (given: unknown): unknown =>
  isObject(given) && Object.keys(given).every((name) => name === 'transaction_status')
    ? given['transaction_status']
    : given;

const tag = '3DS scenarios';
const one = byId('/three-ds-scenarios', 'three_ds_scenario_id');
const changed = { kind: 'record', at: ['threeDSScenario'], record: scenario } as const;

/** The paths of rules that mock authentications. They work in the sandbox alone. */
export const threeDSScenarioRoutes: readonly Route[] = [
  {
    ...{ method: 'POST', path: '/three-ds-scenarios', tag, summary: 'Create a scenario' },
    field: 'Mutation.createThreeDSScenario',
    body: {
      ...{ argument: 'input', form: nestedOutcome },
      example: {
        conditions: { email_address: 'challenge@example.com' },
        outcome: { authentication: { transaction_status: 'C' }, result: { transaction_status: 'Y' } },
      },
    },
    answer: changed,
  },
  {
    ...{ method: 'GET', path: '/three-ds-scenarios', tag, summary: 'List scenarios, in the order of use' },
    field: 'Query.threeDSScenarios',
    answer: { kind: 'page', record: scenario },
  },
  {
    ...{ method: 'GET', ...one, tag, summary: 'Get a scenario' },
    field: 'Query.threeDSScenario',
    answer: { kind: 'record', record: scenario },
  },
  {
    ...{ method: 'PUT', ...one, tag, summary: 'Update a scenario' },
    field: 'Mutation.updateThreeDSScenario',
    body: { argument: 'input', form: nestedOutcome, example: { conditions: { amount: 1299 } } },
    answer: changed,
  },
  {
    ...{ method: 'POST', ...byId('/three-ds-scenarios', 'three_ds_scenario_id', '/move'), tag, status: 200 },
    summary: 'Move a scenario before or after another',
    field: 'Mutation.moveThreeDSScenario',
    body: { argument: 'to', example: { before: '…' } },
    answer: changed,
  },
  {
    ...{ method: 'DELETE', ...one, tag, summary: 'Delete a scenario' },
    field: 'Mutation.deleteThreeDSScenario',
    answer: { kind: 'none' },
  },
];
