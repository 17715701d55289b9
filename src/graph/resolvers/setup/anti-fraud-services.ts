import {
  createAntiFraudService,
  deleteAntiFraudService,
  listAntiFraudDefinitions,
  listAntiFraudServices,
  updateAntiFraudService,
} from '../../../modules/payment-services/index.ts';
import { invalidArguments } from '../../errors.ts';
import type { Resolvers } from '../../generated/payment-services.ts';
import { parsePageOrThrow, toConnection } from '../pages.ts';
import { toUserErrors } from '../refusals.ts';

/** The anti-fraud services in the payment-services subgraph. */
export const antiFraudQueries = {
  antiFraudService: (_, { id }, { loaders }) => loaders.antiFraudService.load(id),
  antiFraudServices: async (_, { deleted, ...page }, { app, viewer }) => {
    const found = await listAntiFraudServices(app, viewer, parsePageOrThrow(page), deleted);
    if (!found.ok) throw invalidArguments(found.refusals);
    return toConnection(found.value);
  },
  antiFraudServiceDefinitions: (_, _arguments, { app }) => listAntiFraudDefinitions(app),
} satisfies Resolvers['Query'];

export const antiFraudMutations = {
  createAntiFraudService: async (_, { input, idempotencyKey }, { app, viewer }) => {
    const created = await createAntiFraudService(app, viewer, input, idempotencyKey);
    if (!created.ok)
      return { antiFraudService: null, userErrors: toUserErrors(created.refusals), replayed: false };
    return { ...created.value, userErrors: [] };
  },
  updateAntiFraudService: async (_, { id, input }, { app, viewer }) => {
    const updated = await updateAntiFraudService(app, viewer, id, input);
    if (!updated.ok) return { antiFraudService: null, userErrors: toUserErrors(updated.refusals) };
    return { antiFraudService: updated.value, userErrors: [] };
  },
  deleteAntiFraudService: async (_, { id }, { app, viewer }) => {
    const deleted = await deleteAntiFraudService(app, viewer, id);
    if (!deleted.ok) return { antiFraudService: null, userErrors: toUserErrors(deleted.refusals) };
    return { antiFraudService: deleted.value, userErrors: [] };
  },
} satisfies Resolvers['Mutation'];
