import {
  createPaymentService,
  deletePaymentService,
  findAntiFraudDefinition,
  findDefinition,
  listDefinitions,
  listPaymentServices,
  stateOf,
  updatePaymentService,
  verifyCredentials,
  verifyPaymentService,
} from '../../../modules/payment-services/index.ts';
import { packageOf } from '../../../connectors/packages/house.ts';
import { antiFraudMutations, antiFraudQueries } from './anti-fraud-services.ts';
import { invalidArguments } from '../../errors.ts';
import type { Resolvers } from '../../generated/payment-services.ts';
import { paymentServiceColumns, servicesFor } from '../columns.ts';
import { parsePageOrThrow, toConnection } from '../pages.ts';
import { merchantAccountOf } from '../merchant-account.ts';
import { toUserErrors } from '../refusals.ts';
import type { Subgraph } from '../../federation/subgraph.ts';

const resolvers: Resolvers = {
  Query: {
    // A look-up after a change must show it, and lines may be a second old.
    paymentService: (_, { id }, { loaders }) => loaders.paymentService.load(id),
    paymentServices: async (_, { method, deleted, ...page }, { app, viewer }, info) => {
      const columns = paymentServiceColumns.ofList(info);
      const filter = { method: method ?? null, deleted, columns };
      const found = await listPaymentServices(app, viewer, parsePageOrThrow(page), filter);
      if (!found.ok) throw invalidArguments(found.refusals);
      return toConnection(found.value);
    },
    paymentServiceDefinitions: (_, _arguments, { app }) => listDefinitions(app),
    paymentServiceDefinition: (_, { id }, { app }) => findDefinition(app, id),
    ...antiFraudQueries,
  },
  Mutation: {
    createPaymentService: async (_, { input, idempotencyKey }, { app, viewer }) => {
      const created = await createPaymentService(app, viewer, input, idempotencyKey);
      if (!created.ok)
        return { paymentService: null, userErrors: toUserErrors(created.refusals), replayed: false };
      return { ...created.value, userErrors: [] };
    },
    updatePaymentService: async (_, { id, input }, { app, viewer }) => {
      const updated = await updatePaymentService(app, viewer, id, input);
      if (!updated.ok) return { paymentService: null, userErrors: toUserErrors(updated.refusals) };
      return { paymentService: updated.value, userErrors: [] };
    },
    verifyPaymentService: async (_, { id }, { app, viewer }) => {
      const verified = await verifyPaymentService(app, viewer, id);
      if (!verified.ok) return { paymentService: null, userErrors: toUserErrors(verified.refusals) };
      return { paymentService: verified.value, userErrors: [] };
    },
    verifyCredentials: async (_, { input }, { app, viewer }) => {
      const verified = await verifyCredentials(app, viewer, input);
      if (!verified.ok) return { verified: null, userErrors: toUserErrors(verified.refusals) };
      return { verified: verified.value, userErrors: [] };
    },
    deletePaymentService: async (_, { id }, { app, viewer }) => {
      const deleted = await deletePaymentService(app, viewer, id);
      if (!deleted.ok) return { paymentService: null, userErrors: toUserErrors(deleted.refusals) };
      return { paymentService: deleted.value, userErrors: [] };
    },
    ...antiFraudMutations,
  },
  CreatePaymentServicePayload: { paymentServiceId: ({ paymentService }) => paymentService?.id ?? null },
  CreateAntiFraudServicePayload: {
    antiFraudServiceId: ({ antiFraudService }) => antiFraudService?.id ?? null,
  },
  PaymentService: {
    __resolveReference: ({ id }, { loaders }, info) => servicesFor(info, loaders).load(id),
    ...merchantAccountOf,
    definition: ({ paymentServiceDefinitionId: id }, _, { app }) => findDefinition(app, id),
    circuit: ({ id }, _, { loaders }) => loaders.circuit.load(id),
  },
  PaymentServiceCircuit: { state: stateOf },
  AntiFraudService: {
    __resolveReference: ({ id }, { loaders }) => loaders.antiFraudService.load(id),
    ...merchantAccountOf,
    definition: ({ antiFraudServiceDefinitionId: id }, _, { app }) => findAntiFraudDefinition(app, id),
  },
  AntiFraudServiceDefinition: { package: packageOf },
  PaymentServiceDefinition: {
    package: packageOf,
    approvalWindow: ({ approvalWindow: window }) =>
      window && { defaultSeconds: window.defaultMs / 1_000, maxSeconds: window.maxMs / 1_000 },
    supportedFeatures: ({ supportedFeatures }) =>
      Object.entries(supportedFeatures).map(([name, supported]) => ({ name, supported })),
  },
};

/** Payment services, anti-fraud services and the catalogues of their definitions. */
export const paymentServicesSubgraph: Subgraph = { name: 'payment-services', resolvers };
