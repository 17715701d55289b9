import {
  createExport,
  downloadUrlOf,
  exportScopeOf,
  findExports,
  listExports,
} from '../../modules/exports/index.ts';
import { invalidArguments } from '../errors.ts';
import { requireFingerprints, requireScopes } from '../federation/scopes.ts';
import type { Subgraph } from '../federation/subgraph.ts';
import type { Resolvers } from '../generated/exports.ts';
import { refuseBuyerFilters, refuseDisputeFilter } from './scoped-arguments.ts';
import { parsePageOrThrow, toConnection } from './pages.ts';
import { toUserErrors } from './refusals.ts';

const resolvers: Resolvers = {
  Query: {
    export: async (_, { id }, { app, viewer }) => (await findExports(app, viewer, [id]))[0] ?? null,
    exports: async (_, page, { app, viewer }) => {
      const found = await listExports(app, viewer, parsePageOrThrow(page));
      if (!found.ok) throw invalidArguments(found.refusals);
      return toConnection(found.value);
    },
  },
  Mutation: {
    createExport: async (_, { input, idempotencyKey }, context) => {
      requireScopes(context, [[exportScopeOf(input.type)]]);
      refuseBuyerFilters(context, input.filter?.transactions, TRANSACTIONS);
      refuseDisputeFilter(context, input.filter?.transactions, TRANSACTIONS);
      requireFingerprints(context, input.filter?.transactions?.cardFingerprint);
      const created = await createExport(context.app, context.viewer, input, idempotencyKey);
      if (created.ok) return { ...created.value, userErrors: [] };
      return { export: null, userErrors: toUserErrors(created.refusals), replayed: false };
    },
  },
  CreateExportPayload: { exportId: ({ export: made }) => made?.id ?? null },
  Export: { downloadUrl: (wanted, _, { app }) => downloadUrlOf(app, wanted) },
};

/** The way from the argument to the filter of transactions. */
const TRANSACTIONS = ['input', 'filter', 'transactions'] as const;

/** Files of a merchant's records. */
export const exportsSubgraph: Subgraph = { name: 'exports', resolvers };
