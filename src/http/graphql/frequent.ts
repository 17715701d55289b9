import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  getOperationAST,
  OperationTypeNode,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { GraphContext } from '../../graph/context.ts';
import { format, statusOf, type FormatError } from '../../graph/execution/apollo.ts';
import type { Executor, Runnable } from '../../graph/execution/execute.ts';
import { checkLimits } from '../../graph/limits/check-limits.ts';
import { workOf } from '../../graph/limits/work.ts';
import { readApart } from '../../graph/reading.ts';
import type { Observe } from '../operate/metrics.ts';
import { mediaTypeFor } from '../replies.ts';
import { requestIds } from '../request-id.ts';
import { headOf } from './status-codes.ts';

/** Answers the queries that come again and again. */
export type Frequent = {
  /** Remembers a document that Apollo has parsed and found valid. */
  readonly remember: (text: string, document: DocumentNode) => void;
  /**
   * Answers a query that is compiled, with the same status, headers and body as Apollo. Null, with nothing read, for any other
   * request: Apollo must answer it. The work of a query is taken from the budget once, whoever answers.
   */
  answer(request: FastifyRequest, reply: FastifyReply, context: GraphContext): Promise<FastifyReply> | null;
};

export type FrequentSettings = {
  readonly schema: GraphQLSchema;
  readonly executor: Executor;
  readonly formatError: FormatError;
  readonly observe: Observe;
};

/** As many documents as Apollo's own store keeps. They are the same objects. */
const DOCUMENTS_MAX = 500;

/**
 * Creates the way around Apollo's pipeline. A small query would spend half of its time there, on steps that change nothing:
 *
 * - the digest of the text
 * - the choice of a media type
 * - the hooks of plugins
 */
export function createFrequent(settings: FrequentSettings): Frequent {
  const documents = new LRUCache<string, DocumentNode>({ max: DOCUMENTS_MAX });
  return {
    remember: (text, document) => void documents.set(text, document),
    answer(request, reply, context) {
      const startedAtMs = performance.now();
      const asked = askedBy(request);
      const document = asked && documents.get(asked.query);
      const run = document && find(settings, context, { ...asked, document });
      if (!run) return null;
      return requestIds.run(request.id, () => {
        const answered = run(context);
        return answered && send(settings, { request, reply, answered, startedAtMs });
      });
    },
  };
}

type Sending = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly answered: Promise<ExecutionResult>;
  readonly startedAtMs: number;
};

async function send(
  { formatError, observe }: FrequentSettings,
  { request, reply, answered, startedAtMs }: Sending,
): Promise<FastifyReply> {
  const result = await answered;
  const shown = format(result, formatError);
  const errors = 'errors' in shown ? shown.errors : undefined;
  const mediaType = mediaTypeFor(request.headers.accept);
  const { status = 200, headers } = headOf({ errors, status: statusOf(result), mediaType });
  const durationMs = performance.now() - startedAtMs;
  observe({ kind: 'query', transport: 'http', failed: errors !== undefined, durationMs });
  return reply
    .code(status)
    .headers({ 'cache-control': 'no-store', ...headers })
    .type(mediaType)
    .send(JSON.stringify(shown));
}

type Asked = {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
};

/** Reads a request in its plain form. Null leaves any other form to Apollo, with its checks and refusals. */
function askedBy({ method, headers, body, url }: FastifyRequest): Asked | null {
  if (method !== 'POST' || url !== '/graphql' || !isObject(body)) return null;
  if (headers['content-type'] !== 'application/json' || !isPlain(headers.accept)) return null;
  const { query, operationName, variables, ...others } = body;
  if (typeof query !== 'string' || Object.keys(others).length > 0) return null;
  if (operationName != null && typeof operationName !== 'string') return null;
  if (variables != null && !isObject(variables)) return null;
  return { query, operationName: operationName ?? undefined, variables: variables ?? undefined };
}

/** True for a caller that takes JSON, without an order of preference. */
const isPlain = (accept: string | undefined): boolean =>
  accept === undefined || (/\*\/\*|\bjson\b/.test(accept) && !accept.includes(';'));

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function find(
  { schema, executor }: FrequentSettings,
  context: GraphContext,
  { document, operationName, variables }: Omit<Asked, 'query'> & { readonly document: DocumentNode },
): Runnable | null {
  const operation = getOperationAST(document, operationName);
  if (operation?.operation !== OperationTypeNode.QUERY) return null;
  const run = executor.findCompiled({ document, operationName, variables });
  const limited = { schema, document, operation, variables };
  if (!run || checkLimits({ ...limited, keyHeader: context.keyHeader })) return null;
  const waitSeconds = context.spend(workOf(limited));
  // If Apollo must answer after all, it asks again.
  Object.assign(context, { spend: () => waitSeconds });
  if (waitSeconds !== null) return null;
  readApart(context);
  return run;
}
