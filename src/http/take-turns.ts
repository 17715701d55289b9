import type { FastifyInstance } from 'fastify';
import type { LoopTurns } from '../platform/fairness/loop-turns.ts';
import { PUBLIC, workFor } from '../platform/fairness/owner.ts';
import { admittedAccount } from './admission.ts';

/**
 * Gives each request to its owner, and starts the owner's work in turn. A request has no merchant account before its admission.
 * The reading of a body loses the owner, so the second hook names the owner again.
 */
export function takeTurns(server: FastifyInstance, turns: LoopTurns): void {
  server.addHook('onRequest', (_request, _reply, done) => workFor(PUBLIC, done));
  server.addHook('preHandler', (request, _reply, done) => {
    const owner = admittedAccount(request) ?? PUBLIC;
    turns.run(owner, () => workFor(owner, done));
  });
}
