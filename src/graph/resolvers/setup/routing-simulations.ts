import {
  cancelRoutingSimulation,
  findRoutingSimulations,
  listRoutingSimulations,
  progressOf,
  simulateRouting,
} from '../../../modules/routing-simulations/index.ts';
import { invalidArguments } from '../../errors.ts';
import type { Resolvers } from '../../generated/routing.ts';
import { parsePageOrThrow, toConnection } from '../pages.ts';
import { toUserErrors } from '../refusals.ts';

type Way = { readonly from: string | null; readonly to: string | null };

const serviceOf = (id: string | null) => (id === null ? null : { id });

/** The first service then and in the simulation. */
const waysOf = {
  fromPaymentServiceId: ({ from }: Way) => from,
  fromPaymentService: ({ from }: Way) => serviceOf(from),
  toPaymentServiceId: ({ to }: Way) => to,
  toPaymentService: ({ to }: Way) => serviceOf(to),
};

/** Past payments, played through a version of the merchant's own rules. */
export const simulationResolvers = {
  Query: {
    routingSimulation: async (_, { id }, { app, viewer }) =>
      (await findRoutingSimulations(app, viewer, [id]))[0] ?? null,
    routingSimulations: async (_, page, { app, viewer }) => {
      const found = await listRoutingSimulations(app, viewer, parsePageOrThrow(page));
      if (!found.ok) throw invalidArguments(found.refusals);
      return toConnection(found.value);
    },
  },
  Mutation: {
    simulateRouting: async (_, { input, idempotencyKey }, { app, viewer }) => {
      const started = await simulateRouting(app, viewer, input, idempotencyKey);
      if (!started.ok)
        return { routingSimulation: null, userErrors: toUserErrors(started.refusals), replayed: false };
      const { simulation, replayed } = started.value;
      return { routingSimulation: simulation, userErrors: [], replayed };
    },
    cancelRoutingSimulation: async (_, { id }, { app, viewer }) => {
      const canceled = await cancelRoutingSimulation(app, viewer, id);
      if (!canceled.ok) return { routingSimulation: null, userErrors: toUserErrors(canceled.refusals) };
      return { routingSimulation: canceled.value, userErrors: [] };
    },
  },
  SimulateRoutingPayload: { routingSimulationId: ({ routingSimulation }) => routingSimulation?.id ?? null },
  RoutingSimulation: {
    progress: progressOf,
    version: async ({ versionId }, _, { loaders }) => {
      const version = await loaders.routingRuleSetVersion.load(versionId);
      // A foreign key guards the id.
      if (!version) throw new Error('The simulation has no version.');
      return version;
    },
  },
  RoutingSimulationResult: {
    unknownGroups: ({ unknownSegments }) => unknownSegments,
    coarselyCompared: ({ widened }) => widened,
  },
  SimulatedMove: waysOf,
  SimulatedRule: { rule: ({ position }) => position },
  SimulatedUnknownGroup: {
    amountDigits: ({ digits }) => digits,
    paymentService: ({ paymentServiceId: id }) => ({ id }),
  },
  SimulatedDifference: {
    ...waysOf,
    kind: ({ difference }) => difference,
    transaction: ({ transactionId: id }) => ({ id }),
  },
} satisfies Resolvers;
