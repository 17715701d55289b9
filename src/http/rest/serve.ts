import type { IncomingHttpHeaders } from 'node:http';
import {
  errorCodes,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { App } from '../../app.ts';
import { createExecutor } from '../../graph/execution/execute.ts';
import type { Graph } from '../../graph/schema.ts';
import { refusalOfMove } from '../answers/account-away.ts';
import { isUnavailable } from '../../platform/database/database-faults.ts';
import { admit, keepViewer, requestedBy, viewerOf } from '../admission.ts';
import type { Budgets } from '../limits/budgets.ts';
import { describeError } from '../../platform/describe-error.ts';
import { errorOf, ofTransport, sendError } from '../answers/error-body.ts';
import { createErrorPresenter, faultMessage } from '../answers/errors.ts';
import { keyHeaderOf } from '../graphql/idempotency-key.ts';
import type { Observe } from '../operate/observed.ts';
import { refusedByTransport } from '../answers/replies.ts';
import { tellPosition } from '../answers/position.ts';
import { UNAVAILABLE_REFUSAL } from '../answers/unavailable.ts';
import { createRest } from './api.ts';
import { serveDescription } from './describe/serve-description.ts';
import { ofDetails } from './errors.ts';
import type { Plan } from './plan.ts';
import { readRequest, type Given } from './input/read-request.ts';
import { statusOf } from './route.ts';
import { run, type Runner } from './run.ts';

export type RestSettings = {
  readonly app: App;
  readonly graph: Graph;
  readonly observe: Observe;
  readonly budgets: Budgets;
};

/**
 * Serves the REST paths below the configured prefix. Serves nothing if the prefix is off.
 *
 * Each path runs an operation of the graph. Scopes, limits, budgets, idempotency keys and events are therefore those of the graph.
 */
export function serveRest(server: FastifyInstance, settings: RestSettings): void {
  const { app, graph } = settings;
  const prefix = app.config.PAYGRAPH_REST_PATH;
  if (prefix === null) return;
  const { plans, reword } = createRest(graph);
  const { schema } = graph;
  const executor = createExecutor(schema, app.config.PAYGRAPH_EXECUTOR);
  const present = createErrorPresenter(app);
  const runner: Runner = { app, schema, executor, present, observe: settings.observe, reword };
  void server.register(
    async (scope) => {
      acceptJson(scope);
      scope.setErrorHandler(presentFault(app));
      refuseUndescribed(scope, plans);
      serveDescription(scope, app, graph);
      for (const plan of plans) servePlan(scope, plan, runner, settings.budgets);
      for (const [path, methods] of methodsByPath(plans)) refuseOthers(scope, path, methods);
    },
    { prefix },
  );
}

/** Throws at the start for a route that is neither in the table nor a description. So no path lacks its entry. */
function refuseUndescribed(scope: FastifyInstance, plans: readonly Plan[]): void {
  const described = new Set([
    '/openapi.json',
    '/openapi',
    ...plans.map(({ route }) => addressOf(route.path)),
  ]);
  scope.addHook('onRoute', ({ path, prefix, method }) => {
    const own = prefix === '/' ? path : path.slice(prefix.length);
    if (!described.has(own)) throw new Error(`The table of REST paths has no ${String(method)} ${own}.`);
  });
}

/** Parses JSON bodies. An empty body of any type is no body, because some clients name a type even for nothing. */
function acceptJson(scope: FastifyInstance): void {
  const parse = scope.getDefaultJsonParser('error', 'error');
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else void parse(request, body, done);
  });
  scope.addContentTypeParser<string>('*', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(String(request.headers['content-type'])));
  });
}

function servePlan(scope: FastifyInstance, plan: Plan, runner: Runner, budgets: Budgets): void {
  const { app } = runner;
  scope.route({
    method: plan.route.method,
    url: addressOf(plan.route.path),
    onRequest: async (request, reply) => {
      const admission = await admit(app, { budgets, request, reply });
      if ('refused' in admission) return sendError(request, reply, ofTransport(admission.refused));
      keepViewer(request, admission.viewer);
    },
    handler: async (request, reply) => {
      const viewer = viewerOf(request);
      const given = givenBy(request);
      const { chosen, resource } = chosenBy(request.headers, plan);
      const read = readRequest(chosen, given);
      if (read.details) return sendError(request, reply, ofDetails(read.details));
      const requested = requestedBy(viewer, { budgets, request, reply });
      const ran = await run(runner, { plan: chosen, given, variables: read.variables, viewer, requested });
      if (ran.error) return sendError(request, reply, ran.error);
      if (chosen.kind === 'mutation') await tellPosition(app, reply);
      if (ran.replayed) void reply.header('idempotent-replayed', 'true');
      if (plan.preferred) void reply.header('vary', 'Prefer');
      if (resource !== null) void reply.header('preference-applied', preferenceFor(resource));
      void reply.code(statusOf(plan.route));
      return ran.body === null ? reply.send() : sendJson(reply, ran.body);
    },
  });
}

type Chosen = { readonly chosen: Plan; readonly resource: string | null };

/** Chooses the plan with the answer that the request prefers. An unknown preference is ignored, as RFC 7240 has it. */
function chosenBy({ prefer = '' }: IncomingHttpHeaders, plan: Plan): Chosen {
  const { preferred } = plan;
  const preferences = [prefer]
    .flat()
    .flatMap((line) => line.split(',').map((each) => each.trim().replaceAll('"', '')));
  return preferred && preferences.includes(preferenceFor(preferred.resource))
    ? { chosen: preferred.plan, resource: preferred.resource }
    : { chosen: plan, resource: null };
}

const preferenceFor = (resource: string): string => `resource=${resource}`;

const sendJson = (reply: FastifyReply, body: object): FastifyReply =>
  reply.type('application/json; charset=utf-8').send(JSON.stringify(body));

const givenBy = ({ params, query, body, headers }: FastifyRequest): Given => ({
  params: params as Given['params'],
  query: query as Given['query'],
  body,
  key: keyHeaderOf(headers),
});

/** Returns a path as the router takes it. */
const addressOf = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;

function methodsByPath(plans: readonly Plan[]): ReadonlyMap<string, readonly string[]> {
  const methods = new Map<string, string[]>();
  for (const { route } of plans) methods.set(route.path, [...(methods.get(route.path) ?? []), route.method]);
  return methods;
}

function refuseOthers(scope: FastifyInstance, path: string, methods: readonly string[]): void {
  const others = METHODS.filter((method) => !methods.includes(method));
  if (others.length === 0) return;
  const allow = methods.join(', ');
  scope.route({
    method: others,
    url: addressOf(path),
    handler: async (request, reply) => {
      const error = errorOf(405, 'method_not_allowed', `This path takes ${allow}.`);
      return sendError(request, reply, { ...error, headers: { allow } });
    },
  });
}

const presentFault =
  (app: App) =>
  (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const refused = refusedByTransport(error);
    if (refused) return sendError(request, reply, ofTransport(inWords(refused)));
    const moved = refusalOfMove(error);
    if (moved) return sendError(request, reply, ofTransport(moved));
    app.log.error({ requestId: request.id, error: describeError(error) }, 'A request failed.');
    if (isUnavailable(error)) return sendError(request, reply, ofTransport(UNAVAILABLE_REFUSAL));
    return sendError(request, reply, errorOf(500, 'internal_server_error', faultMessage(request.id)));
  };

const inWords = <Refused extends { readonly status: number }>(refused: Refused): Refused =>
  refused.status === 415
    ? { ...refused, message: 'Send the body with content-type application/json.' }
    : refused;
