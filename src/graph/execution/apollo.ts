import { HeaderMap, type ApolloServerPlugin, type GraphQLRequestListener } from '@apollo/server';
import {
  GraphQLError,
  OperationTypeNode,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLFormattedError,
} from 'graphql';
import { checkLimits } from '../limits/check-limits.ts';
import type { GraphContext } from '../context.ts';
import { readApart } from '../reading.ts';
import { budgetSpent, subscriptionOverHttp } from '../errors.ts';
import { workOf } from '../limits/work.ts';
import type { Executor } from './execute.ts';

export type ExecutionPluginSettings = {
  readonly executor: Executor;
  /** Hears of each valid document, with its text. */
  readonly remember: (text: string, document: DocumentNode) => void;
  /** The server's `formatError`. Apollo does not apply it to compiled answers. */
  readonly formatError: (formatted: GraphQLFormattedError, error: unknown) => GraphQLFormattedError;
};

/**
 * Creates the plugin that limits operations and refuses subscriptions, with the status 400. It gives queries the connections for
 * reads, and runs frequent operations compiled.
 *
 * Apollo executes operations that do not compile or whose variables are invalid with graphql-js.
 *
 * - Keep the server's document store: its documents identify the operations.
 * - Disable the cache-control plugin, which wraps every resolver.
 */
export function executionPlugin({
  executor,
  remember,
  formatError,
}: ExecutionPluginSettings): ApolloServerPlugin<GraphContext> {
  const listener: GraphQLRequestListener<GraphContext> = {
    async didResolveOperation({ schema, source, document, operation, request: { variables }, contextValue }) {
      if (operation?.operation === OperationTypeNode.SUBSCRIPTION)
        throw withStatus(subscriptionOverHttp(), 400);
      const limited = operation && { schema, document, operation, variables };
      const refusal = limited && checkLimits({ ...limited, keyHeader: contextValue.keyHeader });
      if (refusal) throw withStatus(refusal, 400);
      remember(source, document);
      readApart(contextValue, operation?.operation);
      const waitSeconds = limited ? contextValue.spend(workOf(limited)) : null;
      if (waitSeconds !== null) {
        await contextValue.app.clock.sleep(REFUSAL_HELD_MS);
        throw budgetSpent(waitSeconds);
      }
    },
    async responseForOperation({ document, request, contextValue }) {
      const { operationName, variables } = request;
      const running = executor.tryCompiled({ document, operationName, variables, context: contextValue });
      if (!running) return null;
      const result = await running;
      const status = statusOf(result);
      const http = { headers: new HeaderMap(), ...(status === undefined ? {} : { status }) };
      return { http, body: { kind: 'single', singleResult: format(result, formatError) } };
    },
  };
  return { requestDidStart: () => Promise.resolve(listener) };
}

/** The delay of a refusal. A caller who repeats a refused read at once would take more time than the read. */
const REFUSAL_HELD_MS = 500;

export type FormatError = ExecutionPluginSettings['formatError'];

/** Formats the errors of an execution as Apollo does. */
export function format({ data, errors }: ExecutionResult, formatError: FormatError) {
  const shown = { data: data ?? null };
  if (!errors) return shown;
  return {
    errors: errors.map((error) => {
      const { http: _, ...extensions } = error.extensions;
      const code = extensions['code'] ?? 'INTERNAL_SERVER_ERROR';
      return formatError({ ...error.toJSON(), extensions: { ...extensions, code } }, error);
    }),
    ...shown,
  };
}

/** Returns the HTTP status that an error requests, as Apollo reads it. */
export function statusOf({ errors = [] }: ExecutionResult): number | undefined {
  const requested = errors.map(({ extensions }) => extensions['http']);
  return requested
    .map((http) => (isHead(http) ? http.status : undefined))
    .findLast((status) => status !== undefined);
}

const isHead = (http: unknown): http is { readonly status: number } =>
  typeof http === 'object' && http !== null && 'status' in http && typeof http.status === 'number';

const withStatus = ({ message, extensions }: GraphQLError, status: number): GraphQLError =>
  new GraphQLError(message, { extensions: { ...extensions, http: { status } } });
