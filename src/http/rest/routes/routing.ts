import type { RecordForm, Route } from '../route.ts';
import { byId } from './by-id.ts';

const ruleSet: RecordForm = {
  ...{ name: 'RoutingRuleSet', on: 'RoutingRuleSet', type: 'routing-rule-set' },
  fields: 'id merchantAccountId name latestVersion createdAt updatedAt',
};

const VERSION_FIELDS = 'id ruleSet { id name } number note createdAt';

const version: RecordForm = {
  ...{ name: 'RoutingRuleSetVersion', on: 'RoutingRuleSetVersion', type: 'routing-rule-set-version' },
  fields: `${VERSION_FIELDS} rules valueSets { valueSetId name values }`,
  inputs: { rules: 'RoutingRuleInput' },
};

/** A version in a list. The rules of a version can have 256 KiB. */
const versionWithoutRules: RecordForm = {
  ...version,
  ...{ name: 'RoutingRuleSetVersionSummary', fields: VERSION_FIELDS },
};

const warnings: RecordForm = {
  ...{ name: 'RoutingWarnings', on: 'CreateRoutingRuleSetVersionPayload' },
  fields: 'warnings { code rule message }',
};

const valueSet: RecordForm = {
  ...{ name: 'RoutingValueSet', on: 'RoutingValueSet', type: 'routing-value-set' },
  fields: 'id merchantAccountId name kind values createdAt updatedAt',
};

const activation: RecordForm = {
  ...{ name: 'RoutingActivation', on: 'RoutingActivation', type: 'routing-activation' },
  fields: 'id version { id number ruleSet { id name } } apiKeyPairId activeFrom note createdAt canceledAt',
};

const tag = 'Routing rules';
const one = byId('/routing-rule-sets', 'routing_rule_set_id');
const versions = byId('/routing-rule-sets', 'routing_rule_set_id', '/versions', 'ruleSetId');
const check = byId('/routing-rule-sets', 'routing_rule_set_id', '/versions/check', 'ruleSetId');
const oneVersion = byId('/routing-rule-set-versions', 'routing_rule_set_version_id');
const canceledActivation = byId('/routing-activations', 'routing_activation_id', '/cancel');
const oneValueSet = byId('/routing-value-sets', 'routing_value_set_id');
const changedValueSet = { kind: 'record', at: ['routingValueSet'], record: valueSet } as const;

const rules = [
  {
    name: 'US dollars',
    conditions: [{ fact: { currency: ['USD'] } }],
    action: { order: { payment_service_ids: ['…'] } },
  },
];

const ruleSetRoutes: readonly Route[] = [
  {
    ...{ method: 'POST', path: '/routing-rule-sets', tag, summary: 'Create a rule set' },
    field: 'Mutation.createRoutingRuleSet',
    body: { argument: 'input', example: { name: 'Cards' } },
    answer: { kind: 'record', at: ['routingRuleSet'], record: ruleSet },
  },
  {
    ...{ method: 'GET', path: '/routing-rule-sets', tag, summary: 'List rule sets' },
    field: 'Query.routingRuleSets',
    answer: { kind: 'page', record: ruleSet },
  },
  {
    ...{ method: 'GET', ...one, tag, summary: 'Get a rule set' },
    field: 'Query.routingRuleSet',
    answer: { kind: 'record', record: ruleSet },
  },
];

const versionRoutes: readonly Route[] = [
  {
    ...{ method: 'POST', ...versions, tag, summary: 'Add a version to a rule set' },
    field: 'Mutation.createRoutingRuleSetVersion',
    fixed: { dryRun: false },
    body: { argument: 'input', example: { rules } },
    answer: {
      ...{ kind: 'record', at: ['routingRuleSetVersion'], record: version },
      beside: { warnings: warnings.fields },
    },
  },
  {
    ...{ method: 'POST', ...check, tag, summary: 'Check the rules of a version', status: 200 },
    field: 'Mutation.createRoutingRuleSetVersion',
    fixed: { dryRun: true, idempotencyKey: null },
    body: { argument: 'input', example: { rules } },
    answer: { kind: 'record', record: warnings },
  },
  {
    ...{ method: 'GET', ...versions, tag, summary: 'List the versions of a rule set' },
    field: 'Query.routingRuleSetVersions',
    answer: { kind: 'page', record: versionWithoutRules },
  },
  {
    ...{ method: 'GET', ...oneVersion, tag, summary: 'Get a version with its rules' },
    field: 'Query.routingRuleSetVersion',
    answer: { kind: 'record', record: version },
  },
];

const activationRoutes: readonly Route[] = [
  {
    ...{ method: 'POST', path: '/routing-activations', tag, summary: 'Activate a version' },
    field: 'Mutation.activateRoutingRuleSet',
    body: { argument: 'input', example: { version_id: '…', note: 'Trial week' } },
    answer: { kind: 'record', at: ['routingActivation'], record: activation },
  },
  {
    ...{ method: 'GET', path: '/routing-activations', tag, summary: 'List activations' },
    field: 'Query.routingActivations',
    answer: { kind: 'page', record: activation },
  },
  {
    ...{ method: 'GET', path: '/routing-activations/active', tag },
    summary: 'Get the activation that decides now',
    field: 'Query.activeRouting',
    answer: { kind: 'record', record: activation },
  },
  {
    ...{ method: 'POST', ...canceledActivation, tag, summary: 'Cancel a planned activation', status: 200 },
    field: 'Mutation.cancelRoutingActivation',
    answer: { kind: 'record', at: ['routingActivation'], record: activation },
  },
];

const valueSetRoutes: readonly Route[] = [
  {
    ...{ method: 'POST', path: '/routing-value-sets', tag, summary: 'Create a value set' },
    field: 'Mutation.createRoutingValueSet',
    body: { argument: 'input', example: { name: 'Nordics', kind: 'country', values: ['DK', 'SE'] } },
    answer: changedValueSet,
  },
  {
    ...{ method: 'GET', path: '/routing-value-sets', tag, summary: 'List value sets' },
    field: 'Query.routingValueSets',
    answer: { kind: 'page', record: valueSet },
  },
  {
    ...{ method: 'GET', ...oneValueSet, tag, summary: 'Get a value set' },
    field: 'Query.routingValueSet',
    answer: { kind: 'record', record: valueSet },
  },
  {
    ...{ method: 'PUT', ...oneValueSet, tag, summary: 'Change a value set for new versions' },
    field: 'Mutation.updateRoutingValueSet',
    body: { argument: 'input', example: { values: ['DK', 'FI', 'SE'] } },
    answer: changedValueSet,
  },
];

const SIMULATION_FIELDS =
  'id version { id number ruleSet { id name } } from to sample status progress scanned createdAt startedAt ' +
  'endedAt';

const PAYMENTS = 'payments authorizedThen';

const RESULT_FIELDS = [
  `payments passedBy open refused { code ${PAYMENTS} } withoutService { ${PAYMENTS} }`,
  'moves { fromPaymentServiceId toPaymentServiceId payments } rules { rule payments }',
  `compared { ${PAYMENTS} authorizedExpected authorizedLow authorizedHigh attemptsThen attemptsExpected }`,
  `unknown { ${PAYMENTS} }`,
  'unknownGroups { paymentServiceId currency method scheme country amountDigits payments }',
  'fees { currency then expected amountWithoutFeeThen amountWithoutFeeExpected } coarselyCompared',
  'differing { transactionId amount currency kind fromPaymentServiceId toPaymentServiceId rule ruleName',
  'share refusalCode chance { rate low high cases } }',
].join(' ');

const simulation: RecordForm = {
  ...{ name: 'RoutingSimulation', on: 'RoutingSimulation', type: 'routing-simulation' },
  fields: `${SIMULATION_FIELDS} result { ${RESULT_FIELDS} }`,
};

/** A simulation in a list. */
const simulationWithoutResult: RecordForm = {
  ...simulation,
  ...{ name: 'RoutingSimulationSummary', fields: SIMULATION_FIELDS },
};

const oneSimulation = byId('/routing-simulations', 'routing_simulation_id');
const canceled = byId('/routing-simulations', 'routing_simulation_id', '/cancel');

const simulationRoutes: readonly Route[] = [
  {
    ...{ method: 'POST', path: '/routing-simulations', tag, summary: 'Play past payments through a version' },
    field: 'Mutation.simulateRouting',
    body: { argument: 'input', example: { version_id: '…', from: '2026-01-01T00:00:00Z' } },
    answer: { kind: 'record', at: ['routingSimulation'], record: simulation },
  },
  {
    ...{ method: 'GET', path: '/routing-simulations', tag, summary: 'List simulations' },
    field: 'Query.routingSimulations',
    answer: { kind: 'page', record: simulationWithoutResult },
  },
  {
    ...{ method: 'GET', ...oneSimulation, tag, summary: 'Get a simulation' },
    field: 'Query.routingSimulation',
    answer: { kind: 'record', record: simulation },
  },
  {
    ...{ method: 'POST', ...canceled, tag, summary: 'Cancel a simulation', status: 200 },
    field: 'Mutation.cancelRoutingSimulation',
    answer: { kind: 'record', at: ['routingSimulation'], record: simulation },
  },
];

/** The paths of the merchant's own rules. */
export const routingRoutes: readonly Route[] = [
  ...ruleSetRoutes,
  ...versionRoutes,
  ...activationRoutes,
  ...valueSetRoutes,
  ...simulationRoutes,
];
