import { GraphQLError, type ExecutionResult, type GraphQLSchema } from 'graphql';
import type { App, Viewer } from '../../app.ts';
import { createContext, type GraphContext, type Requested } from '../../graph/context.ts';
import { budgetSpent } from '../../graph/errors.ts';
import type { Executor } from '../../graph/execution/execute.ts';
import { checkLimits } from '../../graph/limits/check-limits.ts';
import { workOf } from '../../graph/limits/work.ts';
import { createReadingContext } from '../../graph/reading.ts';
import type { RestError } from '../answers/error-body.ts';
import type { PresentError } from '../answers/errors.ts';
import type { Observe } from '../operate/observed.ts';
import { requestIds } from '../answers/request-id.ts';
import { ofMutation } from '../answers/unavailable.ts';
import { ofFailure, ofRefusals, unknownRecord } from './errors.ts';
import type { Reword } from './names.ts';
import type { Plan, PlannedOperation } from './plan.ts';
import type { Given } from './input/read-request.ts';
import type { Refusal } from './refusal-fields.ts';
import type { Json } from './route.ts';
import { showAnswer } from './show-answer.ts';

/** The parts of the service that run the operations of routes. */
export type Runner = {
  readonly app: App;
  readonly schema: GraphQLSchema;
  readonly executor: Executor;
  readonly present: PresentError;
  readonly observe: Observe;
  readonly reword: Reword;
};

/** A request of a route that was read. */
export type Call = {
  readonly plan: Plan;
  readonly given: Given;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly viewer: Viewer;
  readonly requested: Required<Requested>;
};

/** The answer of a route, or its error. */
export type Ran =
  | { readonly error: RestError }
  | { readonly error: null; readonly body: Json | null; readonly replayed: boolean };

/**
 * Runs the operation of a route, with the limits, budgets, scopes and idempotency keys of the graph. The answer to a change
 * shows the changed record to a token with the right to the change alone.
 */
export async function run(runner: Runner, call: Call): Promise<Ran> {
  const { plan, viewer } = call;
  const showing = { ...viewer, scopes: [...viewer.scopes, ...plan.ownScopes] };
  const planned = plan.operationFor(showing.scopes);
  const startedAtMs = performance.now();
  const result = await requestIds.run(call.requested.requestId, () =>
    execute(runner, { ...call, viewer: showing }, planned),
  );
  const { observe } = runner;
  const durationMs = performance.now() - startedAtMs;
  observe({
    ...{ kind: plan.kind, transport: 'http', failed: result.errors !== undefined, durationMs },
    ...{ name: fieldOf(plan), requestId: call.requested.requestId, account: viewer.merchantAccountId },
  });
  return answer(runner, call, planned, result);
}

async function execute(
  { app, schema, executor }: Runner,
  { plan, viewer, given, requested, variables }: Call,
  { document, operation }: PlannedOperation,
): Promise<ExecutionResult> {
  const limited = { schema, document, operation, variables };
  const refusal = checkLimits(limited);
  if (refusal) return { errors: [refusal] };
  const waitSeconds = requested.spend(workOf(limited));
  if (waitSeconds !== null) return { errors: [budgetSpent(waitSeconds)] };
  // The key is a variable of the operation. As a header it would stand for another mutation.
  const keyless = { ...requested, keyHeader: null };
  const { locate } = plan.route;
  const located = locate ? ((await locate(app, viewer, given.params)) ?? UNKNOWN) : {};
  const context: GraphContext =
    plan.kind === 'query' ? createReadingContext(app, viewer, keyless) : createContext(app, viewer, keyless);
  return executor.execute({ document, variables: { ...variables, ...located }, context });
}

/** The id of no record. The graph then checks the scopes before the record is found missing. */
const UNKNOWN = { id: '00000000-0000-0000-0000-000000000000' };

function answer(
  { present, reword }: Runner,
  { plan, given, requested }: Call,
  { selected }: PlannedOperation,
  { data, errors }: ExecutionResult,
): Ran {
  const asked = { plan, given, reword };
  const [first] = errors ?? [];
  if (first) {
    const error = first instanceof GraphQLError ? first : new GraphQLError('Unexpected');
    const shown = requestIds.run(requested.requestId, () => present(error));
    return { error: ofFailure(plan.kind === 'mutation' ? ofMutation(shown) : shown, asked) };
  }
  const root = (data?.[fieldOf(plan)] ?? null) as Json | null;
  const refusals = (root?.['userErrors'] ?? []) as readonly Refusal[];
  if (refusals.length > 0) return { error: ofRefusals(refusals, asked) };
  const body = showAnswer(plan, selected, root, given);
  if (body === undefined) return { error: unknownRecord(plan) };
  return { error: null, body, replayed: root?.['replayed'] === true };
}

/** Returns the name of the field that a route runs. */
const fieldOf = ({ route }: Plan): string => route.field.split('.')[1] ?? '';
