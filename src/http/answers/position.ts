import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { ExecutionResult } from 'graphql';
import type { App } from '../../app.ts';
import {
  POSITION_EXTENSION,
  POSITION_HEADER,
  readPosition,
  type Position,
} from '../../platform/connections/position.ts';
import type { Refused } from './replies.ts';

/** Returns the position that a replica must have to answer the request. Null: the primary answers. */
export const positionOf = ({ [POSITION_HEADER]: given }: IncomingHttpHeaders): Position | null =>
  typeof given === 'string' ? readPosition(given) : null;

/** Refuses a position that no answer of Paygraph can have. */
export function refusedPosition(headers: IncomingHttpHeaders): Refused | null {
  if (headers[POSITION_HEADER] === undefined || positionOf(headers) !== null) return null;
  const message = `The header ${POSITION_HEADER} must be the value of an earlier answer, or 0.`;
  return { status: 400, code: 'BAD_REQUEST', message };
}

/**
 * Returns the position in the `extensions` of a websocket message. Null without one: the primary answers. Undefined for a position
 * that no answer of Paygraph can have.
 */
export function positionIn(extensions: Readonly<Record<string, unknown>> | null | undefined) {
  const given = extensions?.[POSITION_EXTENSION] ?? null;
  if (given === null) return null;
  return (typeof given === 'string' ? readPosition(given) : null) ?? undefined;
}

/** Adds the position of a change to its result. Adds nothing without replicas. */
export async function withPosition({ replicas }: App, result: ExecutionResult): Promise<ExecutionResult> {
  const position = (await replicas?.position()) ?? null;
  return position === null
    ? result
    : { ...result, extensions: { ...result.extensions, [POSITION_EXTENSION]: position } };
}

/** Tells the caller of a change the position that has the change. Tells nothing without replicas. */
export async function tellPosition({ replicas }: App, reply: FastifyReply): Promise<void> {
  if (!replicas) return;
  const position = await replicas.position();
  if (position !== null) void reply.header(POSITION_HEADER, position);
}
