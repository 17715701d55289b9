import type { Page, PageRequest } from '../../../kernel/page.ts';
import type { InvalidInput } from '../../../kernel/refusal.ts';
import type { Result } from '../../../kernel/result.ts';
import {
  activateRoutingRuleSet,
  cancelRoutingActivation,
  createRoutingRuleSet,
  createRoutingRuleSetVersion,
  createRoutingValueSet,
  findActiveRouting,
  listRoutingActivations,
  listRoutingRuleSets,
  listRoutingRuleSetVersions,
  listRoutingValueSets,
  updateRoutingValueSet,
  type StoredVersion,
} from '../../../modules/routing/index.ts';
import { invalidArguments } from '../../errors.ts';
import type { Subgraph } from '../../federation/subgraph.ts';
import type { Resolvers } from '../../generated/routing.ts';
import type { Loaders } from '../../loaders.ts';
import { merchantAccountOf } from '../merchant-account.ts';
import { parsePageOrThrow, toConnection, type Connection } from '../pages.ts';
import { toUserErrors } from '../refusals.ts';
import { shownRule, valueSetsOf } from './routing-rules.ts';
import { simulationResolvers } from './routing-simulations.ts';

const { Query, Mutation, ...simulationTypes } = simulationResolvers;

const resolvers: Resolvers = {
  ...simulationTypes,
  Query: {
    ...Query,
    routingRuleSet: (_, { id }, { loaders }) => loaders.routingRuleSet.load(id),
    routingRuleSets: (_, page, { app, viewer }) =>
      connect(page, (request) => listRoutingRuleSets(app, viewer, request)),
    routingRuleSetVersion: (_, { id }, { loaders }) => loaders.routingRuleSetVersion.load(id),
    routingRuleSetVersions: (_, { ruleSetId, ...page }, { app, viewer }) =>
      connect(page, (request) => listRoutingRuleSetVersions(app, viewer, ruleSetId, request)),
    activeRouting: (_, { apiKeyPairId }, { app, viewer }) =>
      findActiveRouting(app, viewer, apiKeyPairId ?? null),
    routingActivations: (_, page, { app, viewer }) =>
      connect(page, (request) => listRoutingActivations(app, viewer, request)),
    routingValueSet: (_, { id }, { loaders }) => loaders.routingValueSet.load(id),
    routingValueSets: (_, page, { app, viewer }) =>
      connect(page, (request) => listRoutingValueSets(app, viewer, request)),
  },
  Mutation: {
    ...Mutation,
    createRoutingRuleSet: async (_, { input, idempotencyKey }, { app, viewer }) => {
      const created = await createRoutingRuleSet(app, viewer, input, idempotencyKey);
      if (!created.ok)
        return { routingRuleSet: null, userErrors: toUserErrors(created.refusals), replayed: false };
      const { ruleSet, replayed } = created.value;
      return { routingRuleSet: ruleSet, userErrors: [], replayed };
    },
    createRoutingRuleSetVersion: async (_, given, { app, viewer }) => {
      const created = await createRoutingRuleSetVersion(app, viewer, given);
      if (!created.ok) return { ...NO_VERSION, userErrors: toUserErrors(created.refusals) };
      const { version, warnings, replayed } = created.value;
      return { routingRuleSetVersion: version, warnings, userErrors: [], replayed };
    },
    createRoutingValueSet: async (_, { input, idempotencyKey }, { app, viewer }) => {
      const created = await createRoutingValueSet(app, viewer, input, idempotencyKey);
      if (!created.ok)
        return { routingValueSet: null, userErrors: toUserErrors(created.refusals), replayed: false };
      const { valueSet, replayed } = created.value;
      return { routingValueSet: valueSet, userErrors: [], replayed };
    },
    updateRoutingValueSet: async (_, { id, input }, { app, viewer }) => {
      const updated = await updateRoutingValueSet(app, viewer, id, input);
      if (!updated.ok) return { routingValueSet: null, userErrors: toUserErrors(updated.refusals) };
      return { routingValueSet: updated.value, userErrors: [] };
    },
    activateRoutingRuleSet: async (_, { input, idempotencyKey }, { app, viewer }) => {
      const made = await activateRoutingRuleSet(app, viewer, input, idempotencyKey);
      if (!made.ok)
        return { routingActivation: null, userErrors: toUserErrors(made.refusals), replayed: false };
      const { activation, replayed } = made.value;
      return { routingActivation: activation, userErrors: [], replayed };
    },
    cancelRoutingActivation: async (_, { id }, { app, viewer }) => {
      const canceled = await cancelRoutingActivation(app, viewer, id);
      if (!canceled.ok) return { routingActivation: null, userErrors: toUserErrors(canceled.refusals) };
      return { routingActivation: canceled.value, userErrors: [] };
    },
  },
  CreateRoutingValueSetPayload: {
    routingValueSetId: ({ routingValueSet }) => routingValueSet?.id ?? null,
  },
  CreateRoutingRuleSetPayload: {
    routingRuleSetId: ({ routingRuleSet }) => routingRuleSet?.id ?? null,
  },
  CreateRoutingRuleSetVersionPayload: {
    routingRuleSetVersionId: ({ routingRuleSetVersion }) => routingRuleSetVersion?.id ?? null,
  },
  ActivateRoutingRuleSetPayload: {
    routingActivationId: ({ routingActivation }) => routingActivation?.id ?? null,
  },
  RoutingRuleSet: {
    __resolveReference: ({ id }, { loaders }) => loaders.routingRuleSet.load(id),
    ...merchantAccountOf,
  },
  RoutingValueSet: {
    __resolveReference: ({ id }, { loaders }) => loaders.routingValueSet.load(id),
    ...merchantAccountOf,
  },
  RoutingCopiedValueSet: {
    valueSet: async ({ valueSetId }, _, { loaders }) => {
      const valueSet = await loaders.routingValueSet.load(valueSetId);
      // Nothing deletes a value set.
      if (!valueSet) throw new Error('The version has copied an unknown value set.');
      return valueSet;
    },
  },
  RoutingRuleSetVersion: {
    __resolveReference: ({ id }, { loaders }) => loaders.routingRuleSetVersion.load(id),
    rules: async ({ id }, _, { loaders }) => (await rulesOf(loaders, id)).map(shownRule),
    valueSets: async ({ id }, _, { loaders }) => valueSetsOf(await rulesOf(loaders, id)),
    ruleSet: async ({ ruleSetId }, _, { loaders }) => {
      const ruleSet = await loaders.routingRuleSet.load(ruleSetId);
      // A foreign key guards the id.
      if (!ruleSet) throw new Error('The version has no rule set.');
      return ruleSet;
    },
  },
  RoutingActivation: {
    apiKeyPair: ({ apiKeyPairId }) => (apiKeyPairId === null ? null : { id: apiKeyPairId }),
    version: ({ versionId }, _, { loaders }) =>
      versionId === null ? null : loaders.routingRuleSetVersion.load(versionId),
  },
};

async function rulesOf(loaders: Loaders, versionId: string): Promise<StoredVersion['rules']> {
  const version = await loaders.routingRules.load(versionId);
  // Nothing deletes a version.
  if (!version) throw new Error('The version is not there.');
  return version.rules;
}

const NO_VERSION = { routingRuleSetVersion: null, warnings: [], replayed: false };

type Listing<Item> = (page: PageRequest) => Promise<Result<Page<Item>, InvalidInput>>;

/** Reads a page and shows it. Throws the refusals, because a query has no userErrors. */
async function connect<Item extends { readonly id: string }>(
  page: Parameters<typeof parsePageOrThrow>[0],
  list: Listing<Item>,
): Promise<Connection<Item>> {
  const found = await list(parsePageOrThrow(page));
  if (!found.ok) throw invalidArguments(found.refusals);
  return toConnection(found.value);
}

/** The merchant's own rules of routing. */
export const routingSubgraph: Subgraph = { name: 'routing', resolvers };
