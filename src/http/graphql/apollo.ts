import { ApolloServer } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import { GraphQLError, type DocumentNode, type GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { App } from '../../app.ts';
import { executionPlugin } from '../../graph/execution/apollo.ts';
import { parseOptions, validationOptions } from '../../graph/limits/check-limits.ts';
import type { GraphContext } from '../../graph/context.ts';
import type { Executor } from '../../graph/execution/execute.ts';
import { LIMITS } from '../../graph/limits/limits.ts';
import type { PresentError } from '../answers/errors.ts';
import { observationPlugin } from '../operate/metrics.ts';
import type { Observe } from '../operate/observed.ts';
import { createFrequent, type Frequent } from './frequent.ts';
import { statusCodes } from './status-codes.ts';

export type ApolloSettings = {
  readonly app: App;
  readonly schema: GraphQLSchema;
  readonly executor: Executor;
  readonly present: PresentError;
  readonly observe: Observe;
  /** False only where no browser can be tricked into a request, because every caller gives a secret header. */
  readonly csrfPrevention: boolean;
};

/** A started Apollo server, and the way around it for frequent queries. */
export type Served = { readonly apollo: ApolloServer<GraphContext>; readonly frequent: Frequent };

/**
 * Starts an Apollo server that handles single requests and opens no port. The defaults from the environment (reporting,
 * stack traces, a landing page from a CDN) are switched off.
 */
export async function startApollo(settings: ApolloSettings): Promise<Served> {
  const { app, schema, executor, present, observe, csrfPrevention } = settings;
  const formatError = (_formatted: unknown, error: unknown) => present(asGraphQLError(error));
  const frequent = createFrequent({ schema, executor, formatError, observe });
  const server = new ApolloServer<GraphContext>({
    schema,
    parseOptions,
    validationOptions,
    executionOptions: { maxCoercionErrors: LIMITS.validationErrors },
    formatError,
    plugins: [
      ...DISABLED.map((disabled) => disabled()),
      executionPlugin({ executor, remember: frequent.remember, formatError }),
      statusCodes,
      observationPlugin(observe),
    ],
    csrfPrevention,
    // Every caller is authenticated, and the schema is published.
    introspection: true,
    includeStacktraceInErrorResponses: false,
    persistedQueries: false,
    allowBatchedHttpRequests: false,
    documentStore: documentStore(),
    stopOnTerminationSignals: false,
    nodeEnv: 'production',
    stringifyResult: (result) => JSON.stringify(result),
    logger: quiet(app),
  });
  await server.start();
  return { apollo: server, frequent };
}

const DISABLED = [
  // Wraps every resolver and costs a third of the throughput.
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
];

const asGraphQLError = (error: unknown): GraphQLError =>
  error instanceof GraphQLError
    ? error
    : new GraphQLError('Unexpected', error instanceof Error ? { originalError: error } : {});

/** Parsed and validated documents. A document has at most some thousand tokens, so that these are some 30 MB at worst. */
function documentStore() {
  const documents = new LRUCache<string, DocumentNode>({ max: 500 });
  return {
    get: async (key: string) => documents.get(key),
    set: async (key: string, document: DocumentNode) => void documents.set(key, document),
    delete: async (key: string) => documents.delete(key),
  };
}

/** Apollo's own messages may quote a request, so only their occurrence is logged. The presenter logs failures. */
const quiet = (app: App) => ({
  debug: () => undefined,
  info: () => undefined,
  warn: () => app.log.debug({}, 'Apollo warned.'),
  error: () => app.log.debug({}, 'Apollo reported an error.'),
});
