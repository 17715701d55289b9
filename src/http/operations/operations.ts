import { SpanKind } from '@opentelemetry/api';
import {
  createSourceEventStream,
  execute,
  getOperationAST,
  GraphQLError,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLSchema,
} from 'graphql';
import { createEventContext, type GraphContext } from '../../graph/context.ts';
import { mayChange, readApart } from '../../graph/reading.ts';
import { budgetSpent } from '../../graph/errors.ts';
import { workOf } from '../../graph/limits/work.ts';
import type { Executor } from '../../graph/execution/execute.ts';
import { tracedAlone, type Part } from '../../platform/tracing/trace.ts';
import type { LoopTurns } from '../../platform/fairness/loop-turns.ts';
import { workFor } from '../../platform/fairness/owner.ts';
import { createDocuments, type GivenOperation } from './documents.ts';
import type { Budgets } from '../limits/budgets.ts';
import type { PresentError } from '../answers/errors.ts';
import { withPosition } from '../answers/position.ts';
import type { Observe, Observed } from '../operate/observed.ts';
import { requestIds } from '../answers/request-id.ts';
import { ofMutation } from '../answers/unavailable.ts';
import { payFor } from './event-price.ts';
import { createSharedResults, operationKey, type SharedResults } from './shared-results.ts';

/** An operation that arrived over a websocket or asks for an event stream, ready to run. */
export type Operation = ExecutionArgs & {
  readonly contextValue: GraphContext;
  readonly transport: Observed['transport'];
  /** Operations with the same key give the same answer to the same event. */
  readonly key: string;
};

type Results = AsyncIterableIterator<ExecutionResult>;

/** The runner of operations outside Apollo. No answer holds an error that was not presented. */
export type Operations = {
  /**
   * Parses and validates under the limits of HTTP. Returns the errors of a refused operation. Counts the operation as a request,
   * unless it came over HTTP and was counted before.
   */
  prepare(
    payload: GivenOperation,
    context: GraphContext,
    transport: Observed['transport'],
  ): Operation | readonly GraphQLError[];
  /** Runs a query or a mutation on the executor of HTTP. */
  execute(operation: Operation): Promise<ExecutionResult>;
  /** Starts a subscription. Each event gets its own loaders, so that the answer shows the current state. */
  subscribe(operation: Operation): Promise<ExecutionResult | Results>;
};

export type OperationsSettings = {
  readonly schema: GraphQLSchema;
  readonly executor: Executor;
  readonly present: PresentError;
  readonly observe: Observe;
  readonly budgets: Budgets;
  readonly turns: LoopTurns;
};

export function createOperations(settings: OperationsSettings): Operations {
  const { schema, executor, present, observe, budgets, turns } = settings;
  const check = createDocuments(schema);
  const show = showWith(present);
  const shared = createSharedResults();
  const timed = async <Result extends object>(
    told: Omit<Observed, 'failed' | 'durationMs'>,
    running: Promise<Result>,
  ): Promise<Result> => {
    const startedAtMs = performance.now();
    const result = await running;
    const durationMs = performance.now() - startedAtMs;
    observe({ ...told, failed: 'errors' in result, durationMs });
    return result;
  };
  return {
    prepare: (payload, contextValue, transport) => {
      const { merchantAccountId } = contextValue.viewer;
      const waitSeconds = transport === 'http' ? null : budgets.countRequest(merchantAccountId);
      if (waitSeconds !== null) return [show(budgetSpent(waitSeconds), contextValue)];
      const checked = check(payload);
      if (!checked.ok) {
        const told = { kind: 'invalid', transport, name: null } as const;
        observe({ ...told, ...callerOf(contextValue), failed: true, durationMs: 0 });
        return checked.errors.map((error) => show(error, contextValue));
      }
      const { query, operationName, variables: variableValues } = payload;
      const key = operationKey(query, operationName, variableValues, contextValue.viewer);
      const { document } = checked;
      const operation = getOperationAST(document, operationName);
      const limited = operation && { schema, document, operation, variables: variableValues };
      const late = limited ? budgets.spend(merchantAccountId, workOf(limited)) : null;
      if (late !== null) return [show(budgetSpent(late), contextValue)];
      readApart(contextValue, operation?.operation);
      return { schema, document, contextValue, operationName, variableValues, key, transport };
    },
    execute: (operation) => {
      const { document, operationName, variableValues: variables, contextValue: context } = operation;
      const { merchantAccountId } = context.viewer;
      const run = async (): Promise<ExecutionResult> => {
        await new Promise<void>((resolve) => turns.run(merchantAccountId, resolve));
        const result = await executor.execute({ document, operationName, variables, context });
        return mayChange(context) ? await withPosition(context.app, result) : result;
      };
      const running = workFor(merchantAccountId, () =>
        operation.transport === 'websocket' ? tracedAlone(partOf(operation), run) : run(),
      );
      return timed(
        toldOf(operation, kindOf(operation)),
        running.then((result) => showResult(result, operation, show)),
      );
    },
    subscribe: (operation) =>
      timed(toldOf(operation, 'subscription'), start(operation, { show, shared, budgets, turns })),
  };
}

/** The trace of an operation begins here, since a socket has one request for all its operations. */
const partOf = (operation: Operation): Part => ({
  name: kindOf(operation),
  kind: SpanKind.SERVER,
  attributes: {
    'graphql.operation.type': kindOf(operation),
    'paygraph.request.id': operation.contextValue.requestId,
    'paygraph.merchant_account.id': operation.contextValue.viewer.merchantAccountId,
  },
});

const kindOf = ({ document, operationName }: Operation): Observed['kind'] =>
  getOperationAST(document, operationName)?.operation ?? 'invalid';

/** Returns the facts of an operation that are known before its end. */
const toldOf = (
  { document, operationName, transport, contextValue }: Operation,
  kind: Observed['kind'],
): Omit<Observed, 'failed' | 'durationMs'> => ({
  ...{ kind, transport, ...callerOf(contextValue) },
  name: getOperationAST(document, operationName)?.name?.value ?? null,
});

const callerOf = ({ requestId, viewer }: GraphContext): Pick<Observed, 'requestId' | 'account'> => ({
  requestId,
  account: viewer.merchantAccountId,
});

/** The parts that answer the events of subscriptions. */
type Answering = Pick<OperationsSettings, 'budgets' | 'turns'> & {
  readonly show: Show;
  readonly shared: SharedResults;
};

async function start(operation: Operation, answering: Answering): Promise<ExecutionResult | Results> {
  const { merchantAccountId } = operation.contextValue.viewer;
  const events = await workFor(merchantAccountId, () => createSourceEventStream(operation));
  return Symbol.asyncIterator in events
    ? answers(events, operation, answering)
    : showResult(events, operation, answering.show);
}

/**
 * Answers each event of the source once, in the turns of the merchant account and at its price. The end of the answers ends the source, even while
 * the source waits.
 */
function answers(
  events: AsyncIterable<unknown>,
  operation: Operation,
  { show, shared, budgets, turns }: Answering,
): Results {
  const source = events[Symbol.asyncIterator]();
  const { app, viewer } = operation.contextValue;
  const { merchantAccountId } = viewer;
  const ended = new AbortController();
  const line = turns.openLine(merchantAccountId);
  const payer = { budgets, merchantAccountId, signal: ended.signal };
  const end = async (): Promise<IteratorResult<ExecutionResult>> => {
    ended.abort();
    await source.return?.();
    return OVER;
  };
  const next = async (): Promise<IteratorResult<ExecutionResult>> => {
    try {
      const event = await source.next();
      if (event.done) return OVER;
      const paid = payFor(event.value, app.clock.now(), payer);
      if (paid) await paid;
      const turn = line.next();
      if (turn) await turn;
      if (ended.signal.aborted) return OVER;
      const result = await shared(event.value, operation.key, () => {
        const contextValue = createEventContext(operation.contextValue);
        return execute({ ...operation, contextValue, rootValue: event.value });
      });
      return { done: false, value: showResult(result, operation, show) };
    } catch (fault) {
      throw show(asGraphQLError(fault), operation.contextValue);
    }
  };
  return {
    next: () => workFor(merchantAccountId, next),
    return: end,
    throw: end,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

const OVER = { done: true, value: undefined } as const;

/** Maps an error to its public form, at the same place of the document. */
type Show = (error: GraphQLError, context: GraphContext) => GraphQLError;

const showWith =
  (present: PresentError): Show =>
  (error, { requestId }) => {
    const { message, extensions } = requestIds.run(requestId, () => present(error));
    const { nodes = null, source = null, positions = null, path = null } = error;
    return new GraphQLError(message, { nodes, source, positions, path, extensions: extensions ?? null });
  };

const showResult = ({ errors, ...result }: ExecutionResult, operation: Operation, show: Show) => ({
  ...(errors && { errors: errors.map((error) => showError(error, operation, show)) }),
  ...result,
});

function showError(error: GraphQLError, operation: Operation, show: Show): GraphQLError {
  const shown = show(error, operation.contextValue);
  if (kindOf(operation) !== 'mutation') return shown;
  const { nodes = null, source = null, positions = null, path = null, extensions } = shown;
  const { message } = ofMutation({ message: shown.message, extensions });
  return new GraphQLError(message, { nodes, source, positions, path, extensions });
}

const asGraphQLError = (fault: unknown): GraphQLError =>
  fault instanceof GraphQLError
    ? fault
    : new GraphQLError('Unexpected', fault instanceof Error ? { originalError: fault } : {});
