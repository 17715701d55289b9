import type { GraphQLError } from 'graphql';
import type { InvalidInput } from '../../../kernel/refusal.ts';
import {
  createThreeDSScenario,
  deleteThreeDSScenario,
  explainThreeDSScenario,
  listThreeDSScenarios,
  moveThreeDSScenario,
  refusedInProduction,
  updateThreeDSScenario,
  type SandboxOnly,
  type ThreeDSScenario,
} from '../../../modules/three-ds/index.ts';
import type { GraphContext } from '../../context.ts';
import { coded, invalidArguments } from '../../errors.ts';
import type { Resolvers } from '../../generated/three-ds.ts';
import { parsePageOrThrow, toConnection } from '../pages.ts';
import { sandboxOnly, toUserErrors } from '../refusals.ts';
import { merchantAccountOf } from '../merchant-account.ts';
import type { Subgraph } from '../../federation/subgraph.ts';

const resolvers: Resolvers = {
  Query: {
    threeDSScenario: (_, { id }, context) => load(id, context),
    threeDSScenarios: async (_, page, { app, viewer }) => {
      const found = await listThreeDSScenarios(app, viewer, parsePageOrThrow(page));
      if (!found.ok) throw thrown(found.refusals);
      return toConnection(found.value);
    },
    explainThreeDSScenario: async (_, { input }, { app, viewer }) => {
      const explained = await explainThreeDSScenario(app, viewer, input);
      if (!explained.ok) throw thrown(explained.refusals);
      return explained.value;
    },
  },
  Mutation: {
    createThreeDSScenario: async (_, { input, idempotencyKey }, { app, viewer }) => {
      const created = await createThreeDSScenario(app, viewer, input, idempotencyKey);
      if (!created.ok)
        return { threeDSScenario: null, userErrors: toUserErrors(created.refusals), replayed: false };
      return { ...created.value, userErrors: [] };
    },
    updateThreeDSScenario: async (_, { id, input }, { app, viewer }) => {
      const updated = await updateThreeDSScenario(app, viewer, id, input);
      if (!updated.ok) return { threeDSScenario: null, userErrors: toUserErrors(updated.refusals) };
      return { threeDSScenario: updated.value, userErrors: [] };
    },
    moveThreeDSScenario: async (_, { id, to }, { app, viewer }) => {
      const moved = await moveThreeDSScenario(app, viewer, id, to);
      if (!moved.ok) return { threeDSScenario: null, userErrors: toUserErrors(moved.refusals) };
      return { threeDSScenario: moved.value, userErrors: [] };
    },
    deleteThreeDSScenario: async (_, { id }, { app, viewer }) => {
      const deleted = await deleteThreeDSScenario(app, viewer, id);
      if (!deleted.ok) return { deletedId: null, userErrors: toUserErrors(deleted.refusals) };
      return { deletedId: deleted.value, userErrors: [] };
    },
  },
  CreateThreeDSScenarioPayload: {
    threeDSScenarioId: ({ threeDSScenario }) => threeDSScenario?.id ?? null,
  },
  ThreeDSScenario: {
    __resolveReference: ({ id }, context) => load(id, context),
    ...merchantAccountOf,
  },
};

/** Loads one scenario by its id for a reference. */
async function load(id: string, { app, loaders }: GraphContext): Promise<ThreeDSScenario | null> {
  const refused = refusedInProduction(app);
  if (refused) throw thrown(refused.refusals);
  return await loaders.threeDSScenario.load(id);
}

/** Throws the refusals of a query, because a query has no userErrors. */
function thrown(refusals: readonly (SandboxOnly | InvalidInput)[]): GraphQLError {
  const production = refusals.find((refusal) => refusal.kind === 'SandboxOnly');
  if (production) return coded('SANDBOX_ONLY', sandboxOnly(production));
  return invalidArguments(refusals.filter((refusal) => refusal.kind === 'InvalidInput'));
}

/** 3-D Secure in the sandbox. */
export const threeDSSubgraph: Subgraph = { name: 'three-ds', resolvers };
