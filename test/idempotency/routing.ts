import { idOf, record } from './made.ts';
import type { Scenario } from './scenarios.ts';
import type { Tenant } from './harness.ts';

const rulesOf = (name: string) => [{ name, action: { positions: true } }];

const makeRuleSet = async (tenant: Tenant): Promise<string> =>
  (await tenant.make('createRoutingRuleSet', { input: { name: 'Cards' } })).id;

const makeVersion = async (tenant: Tenant): Promise<string> => {
  const ruleSetId = await makeRuleSet(tenant);
  const input = { rules: rulesOf('All') };
  return (await tenant.make('createRoutingRuleSetVersion', { ruleSetId, input })).id;
};

/** The scenarios of routing rules. */
export const routingScenarios: Readonly<Record<string, Scenario>> = {
  createRoutingRuleSet: {
    makes: record('routing_rule_set', 'merchant_account_id = $1'),
    given: async () => ({
      input: { input: { name: 'Cards' } },
      other: { input: { name: 'Banks' } },
      refused: { input: { name: '' } },
    }),
    differs: ['input.name'],
    refusal: 'INVALID_INPUT',
    repeatable: true,
    meanwhile: (tenant, made) =>
      tenant.make('createRoutingRuleSetVersion', {
        ruleSetId: idOf(made, 'routingRuleSet'),
        input: { rules: rulesOf('All') },
      }),
  },
  createRoutingValueSet: {
    makes: record('routing_value_set', 'merchant_account_id = $1'),
    given: async () => {
      const input = { name: 'Europe', kind: 'COUNTRY', values: ['DE', 'FR'] };
      return {
        input: { input },
        other: { input: { ...input, values: ['DE'] } },
        refused: { input: { ...input, values: ['Germany'] } },
      };
    },
    differs: ['input.values.1'],
    refusal: 'INVALID_INPUT',
    repeatable: true,
    meanwhile: (tenant, made) =>
      tenant.make('updateRoutingValueSet', {
        id: idOf(made, 'routingValueSet'),
        input: { values: ['US'] },
      }),
  },
  createRoutingRuleSetVersion: {
    makes: record('routing_rule_set_version', 'merchant_account_id = $1'),
    given: async (_, tenant) => {
      const ruleSetId = await makeRuleSet(tenant);
      const input = { rules: rulesOf('All') };
      return {
        input: { ruleSetId, input },
        alike: { ruleSetId, input: { ...input, note: null } },
        other: { ruleSetId, input: { rules: rulesOf('Other') } },
        refused: { ruleSetId, input: { rules: [] } },
      };
    },
    differs: ['input.rules.0.name'],
    refusal: 'INVALID_INPUT',
    repeatable: true,
  },
  activateRoutingRuleSet: {
    makes: record('routing_activation', 'merchant_account_id = $1'),
    given: async (_, tenant) => {
      const versionId = await makeVersion(tenant);
      return {
        input: { input: { versionId } },
        alike: { input: { versionId, note: null } },
        other: { input: { versionId, note: 'Again' } },
        refused: { input: { versionId, note: '' } },
      };
    },
    differs: ['input.note'],
    refusal: 'INVALID_INPUT',
    repeatable: true,
  },
  simulateRouting: {
    makes: record('routing_simulation', 'merchant_account_id = $1'),
    given: async ({ clock }, tenant) => {
      const from = new Date(clock.now().getTime() - 86_400_000).toISOString();
      const input = { versionId: await makeVersion(tenant), from };
      return {
        input: { input },
        alike: { input: { ...input, to: null, sample: 100 } },
        other: { input: { ...input, sample: 50 } },
        refused: { input: { ...input, sample: 0 } },
      };
    },
    differs: ['input.sample'],
    refusal: 'INVALID_INPUT',
    repeatable: true,
  },
};
