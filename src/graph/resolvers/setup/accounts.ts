import {
  createApiKeyPair,
  createMerchantAccount,
  listApiKeyPairs,
  listMerchantAccounts,
  updateApiKeyPair,
  updateMerchantAccount,
  type Forbidden,
} from '../../../modules/accounts/index.ts';
import { listAuditEntries } from '../../../modules/audit/index.ts';
import { forbidden, invalidArguments } from '../../errors.ts';
import type { Resolvers } from '../../generated/accounts.ts';
import { auditColumns } from '../columns.ts';
import { people } from './dashboard-people.ts';
import { parsePageOrThrow, toConnection } from '../pages.ts';
import { toUserErrors, type Refusal } from '../refusals.ts';
import type { Subgraph } from '../../federation/subgraph.ts';

const resolvers: Resolvers = {
  Query: {
    ...people.Query,
    merchantAccount: (_, { id }, { loaders }) => loaders.merchantAccount.load(id),
    merchantAccounts: async (_, page, { app, viewer }) => {
      const found = await listMerchantAccounts(app, viewer, parsePageOrThrow(page));
      if (!found.ok) throw invalidArguments(found.refusals);
      return toConnection(found.value);
    },
    apiKeyPair: (_, { id }, { loaders }) => loaders.apiKeyPair.load(id),
    apiKeyPairs: async (_, page, { app, viewer }) => {
      const found = await listApiKeyPairs(app, viewer, parsePageOrThrow(page));
      if (!found.ok) throw invalidArguments(found.refusals);
      return toConnection(found.value);
    },
    auditLog: async (_, { filter, ...page }, { app, viewer }, info) => {
      const columns = auditColumns.ofList(info);
      const found = await listAuditEntries(app, viewer, parsePageOrThrow(page), filter ?? {}, columns);
      if (!found.ok) throw invalidArguments(found.refusals);
      return toConnection(found.value);
    },
  },
  Mutation: {
    ...people.Mutation,
    createMerchantAccount: async (_, { input, idempotencyKey }, { app, viewer }) => {
      const created = await createMerchantAccount(app, viewer, input, idempotencyKey);
      if (!created.ok)
        return { merchantAccount: null, userErrors: showRefusals(created.refusals), replayed: false };
      return { ...created.value, userErrors: [] };
    },
    updateMerchantAccount: async (_, { id, input }, { app, viewer }) => {
      const updated = await updateMerchantAccount(app, viewer, id, input);
      if (!updated.ok) return { merchantAccount: null, userErrors: showRefusals(updated.refusals) };
      return { merchantAccount: updated.value, userErrors: [] };
    },
    createApiKeyPair: async (_, { input, idempotencyKey }, { app, viewer }) => {
      const created = await createApiKeyPair(app, viewer, input, idempotencyKey);
      if (!created.ok)
        return {
          apiKeyPair: null,
          privateKey: null,
          userErrors: showRefusals(created.refusals),
          replayed: false,
        };
      return { ...created.value, userErrors: [] };
    },
    updateApiKeyPair: async (_, { id, input }, { app, viewer }) => {
      const updated = await updateApiKeyPair(app, viewer, id, input);
      if (!updated.ok) return { apiKeyPair: null, userErrors: showRefusals(updated.refusals) };
      return { apiKeyPair: updated.value, userErrors: [] };
    },
  },
  DashboardPerson: people.DashboardPerson,
  DashboardSession: people.DashboardSession,
  CreateApiKeyPairPayload: { apiKeyPairId: ({ apiKeyPair }) => apiKeyPair?.id ?? null },
  MerchantAccount: {
    __resolveReference: ({ id }, { loaders }) => loaders.merchantAccount.load(id),
  },
  ApiKeyPair: {
    __resolveReference: ({ id }, { loaders }) => loaders.apiKeyPair.load(id),
    merchantAccounts: async ({ merchantAccountIds: ids }, _, { loaders }) => {
      const found = await Promise.all(ids.map((id) => loaders.merchantAccount.load(id)));
      return found.filter((account) => account !== null);
    },
  },
};

/** Throws the refusals that are errors of the request, not of the input. */
function showRefusals(refusals: readonly (Refusal | Forbidden)[]) {
  const denied = refusals.find((refusal) => refusal.kind === 'Forbidden');
  if (denied) throw forbidden(denied.message);
  return toUserErrors(refusals.filter((refusal) => refusal.kind !== 'Forbidden'));
}

/** Merchant accounts and API key pairs. */
export const accountsSubgraph: Subgraph = { name: 'accounts', resolvers };
