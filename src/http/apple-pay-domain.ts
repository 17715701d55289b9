import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../platform/process/config.ts';
import { OperatorError } from '../platform/operator-error.ts';

/**
 * Serves the file with which Apple verifies the domain of payment links, if the setting names the file. Reads
 * the file once. Throws an OperatorError for a file that cannot be read.
 */
export function serveApplePayDomain(
  server: FastifyInstance,
  { PAYGRAPH_APPLE_PAY_DOMAIN_FILE: path }: Pick<Config, 'PAYGRAPH_APPLE_PAY_DOMAIN_FILE'>,
): void {
  if (path === undefined) return;
  const file = readDomainFile(path);
  server.get('/.well-known/apple-developer-merchantid-domain-association', async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(file),
  );
}

function readDomainFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw new OperatorError(
      'The file of PAYGRAPH_APPLE_PAY_DOMAIN_FILE cannot be read. Correct the path, let this user read the file, or remove the setting.',
    );
  }
}
