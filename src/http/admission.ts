import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App, Viewer } from '../app.ts';
import type { Requested } from '../graph/context.ts';
import { authenticate } from './authentication/authenticate.ts';
import { credentialsOfHeaders, refusedCredentials } from './authentication/credentials.ts';
import { rateLimited, type Budgets } from './limits/budgets.ts';
import { keyHeaderOf } from './graphql/idempotency-key.ts';
import { positionOf, refusedPosition } from './answers/position.ts';
import type { Refused } from './answers/replies.ts';

/** A request with its answer, and the budgets that it counts in. */
export type Exchange = {
  readonly budgets: Budgets;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
};

/** The caller of an admitted request, or the refusal of the request. */
export type Admission = { readonly viewer: Viewer } | { readonly refused: Refused };

/**
 * Authenticates the caller of a request and counts the request in the budget of the merchant account. Shows the budgets in the
 * answer's headers. Reads no body. `session` is the cookie of a person's session, where sessions are accepted.
 */
export async function admit(
  app: App,
  { budgets, request, reply }: Exchange,
  session?: string,
): Promise<Admission> {
  const credentials = { ...credentialsOfHeaders(request.headers), session, connection: request.raw.socket };
  const known = await authenticate(app, credentials, request.ip);
  if ('refusal' in known) return { refused: refusedCredentials(known, credentials) };
  const { viewer } = known;
  const waitSeconds = budgets.countRequest(viewer.merchantAccountId);
  void reply.headers(budgets.headersOf(viewer.merchantAccountId));
  if (waitSeconds !== null) return { refused: rateLimited(waitSeconds) };
  const refused = refusedPosition(request.headers);
  return refused ? { refused } : { viewer };
}

/** The place of a caller on an admitted request. A map with weak keys would cost more than the rest of the admission. */
const VIEWER = Symbol('viewer');

type Admitted = FastifyRequest & { [VIEWER]?: Viewer };

/** Keeps the caller of an admitted request for the next steps of the request. */
export const keepViewer = (request: FastifyRequest, viewer: Viewer): void => {
  (request as Admitted)[VIEWER] = viewer;
};

/** Returns the merchant account of an admitted request. Null for a request that needs no admission. */
export const admittedAccount = (request: FastifyRequest): string | null =>
  (request as Admitted)[VIEWER]?.merchantAccountId ?? null;

/** Returns the caller of a request. Throws for a request that was not admitted. */
export function viewerOf(request: FastifyRequest): Viewer {
  const viewer = (request as Admitted)[VIEWER];
  if (!viewer) throw new Error('A request passed authentication without a viewer.');
  return viewer;
}

/** Returns the request's part of its context. Work that the request spends shows in the answer's headers. */
export function requestedBy(
  { merchantAccountId }: Viewer,
  { budgets, request, reply }: Exchange,
): Required<Requested> {
  const spend = (work: number): number | null => {
    const waitSeconds = budgets.spend(merchantAccountId, work);
    void reply.headers(budgets.headersOf(merchantAccountId));
    return waitSeconds;
  };
  const { headers, id: requestId, ip: address } = request;
  return { requestId, address, spend, keyHeader: keyHeaderOf(headers), position: positionOf(headers) };
}
