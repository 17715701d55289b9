import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  getOperationAST,
  OperationTypeNode,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { App, Viewer } from '../../app.ts';
import type { Requested } from '../../graph/context.ts';
import { format, statusOf, type FormatError } from '../../graph/execution/apollo.ts';
import type { Executor, Runnable } from '../../graph/execution/execute.ts';
import { checkLimits } from '../../graph/limits/check-limits.ts';
import { workOf } from '../../graph/limits/work.ts';
import { createReadingContext } from '../../graph/reading.ts';
import type { Observe } from '../operate/observed.ts';
import { mediaTypeFor } from '../answers/replies.ts';
import { requestIds } from '../answers/request-id.ts';
import { headOf } from './status-codes.ts';
import { isObject } from '../../kernel/json.ts';

/** Answers the queries that come again and again. */
export type Frequent = {
  /** Remembers a document that Apollo has parsed and found valid. */
  readonly remember: (text: string, document: DocumentNode) => void;
  /**
   * Answers a query that is compiled, with the same status, headers and body as Apollo. Returns false, with nothing read, for
   * any other request: Apollo must answer it. The work of a query is taken from the budget once, whoever answers.
   */
  answer(request: FastifyRequest, reply: FastifyReply, caller: Caller): boolean;
};

/** The caller of a request, and its part of the context. */
export type Caller = {
  readonly app: App;
  readonly viewer: Viewer;
  readonly requested: Required<Requested>;
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
    answer(request, reply, caller) {
      const startedAtMs = performance.now();
      const asked = askedBy(request);
      const document = asked && documents.get(asked.query);
      const run = document && find(settings, caller, { ...asked, document });
      if (!run) return false;
      return requestIds.run(request.id, () => {
        const { app, viewer, requested } = caller;
        const name = getOperationAST(document, asked.operationName)?.name?.value ?? null;
        const answered = run(createReadingContext(app, viewer, requested));
        // Fastify waits for the reply itself. A promise of the reply would cost as much as the rest of a small query.
        answered
          ?.then((result) => send(settings, { request, reply, result, startedAtMs, name, viewer }))
          .catch((error: unknown) => reply.send(error));
        return answered !== null;
      });
    },
  };
}

type Sending = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly result: ExecutionResult;
  readonly startedAtMs: number;
  /** The name of the operation. */
  readonly name: string | null;
  readonly viewer: Viewer;
};

function send(
  { formatError, observe }: FrequentSettings,
  { request, reply, result, startedAtMs, name, viewer }: Sending,
): void {
  const shown = format(result, formatError);
  const errors = 'errors' in shown ? shown.errors : undefined;
  const mediaType = mediaTypeFor(request.headers.accept);
  const { status = 200, headers } = headOf({ errors, status: statusOf(result), mediaType });
  const durationMs = performance.now() - startedAtMs;
  observe({
    ...{ kind: 'query', transport: 'http', failed: errors !== undefined, durationMs },
    ...{ name, requestId: request.id, account: viewer.merchantAccountId },
  });
  void reply.code(status).headers(headers).type(mediaType).send(JSON.stringify(shown));
}

type Asked = {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
};

/** Reads a request in its plain form. Null leaves any other form to Apollo, with its checks and refusals. */
function askedBy({ method, headers, body, url }: FastifyRequest): Asked | null {
  if (method !== 'POST' || url !== '/graphql' || !isObject(body)) return null;
  if (!isJson(headers['content-type']) || !isPlain(headers.accept)) return null;
  const { query, operationName, variables, extensions } = body;
  if (typeof query !== 'string') return null;
  // Apollo reads no other member of a body.
  if (extensions != null && !(isObject(extensions) && extensions['persistedQuery'] === undefined))
    return null;
  if (operationName != null && typeof operationName !== 'string') return null;
  if (variables != null && !isObject(variables)) return null;
  return { query, operationName: operationName ?? undefined, variables: variables ?? undefined };
}

const isJson = (contentType: string | undefined): boolean =>
  contentType === 'application/json' || contentType?.startsWith('application/json;') === true;

/** True for a caller that takes JSON, without an order of preference. */
const isPlain = (accept: string | undefined): boolean =>
  accept === undefined || (/\*\/\*|\bjson\b/.test(accept) && !accept.includes(';'));

function find(
  { schema, executor }: FrequentSettings,
  { requested }: Caller,
  { document, operationName, variables }: Omit<Asked, 'query'> & { readonly document: DocumentNode },
): Runnable | null {
  const operation = getOperationAST(document, operationName);
  if (operation?.operation !== OperationTypeNode.QUERY) return null;
  const run = executor.findCompiled({ document, operationName, variables });
  const limited = { schema, document, operation, variables };
  if (!run || checkLimits({ ...limited, keyHeader: requested.keyHeader })) return null;
  const waitSeconds = requested.spend(workOf(limited));
  // If Apollo must answer after all, it asks again.
  Object.assign(requested, { spend: () => waitSeconds });
  return waitSeconds === null ? run : null;
}
