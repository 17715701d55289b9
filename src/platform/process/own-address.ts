import { createServer } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Config } from './config.ts';
import { errorCode } from '../error-code.ts';
import { OperatorError } from '../operator-error.ts';

/** True if only this machine reaches a host name or address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');

/** True if the page of a sandbox hands out tokens: nobody else reaches the sandbox, or the operator allows it. */
export const sharesToken = ({ HOST, PAYGRAPH_SHARE_SANDBOX_TOKEN }: Config): boolean =>
  isLoopback(HOST) || PAYGRAPH_SHARE_SANDBOX_TOKEN;

/**
 * Listens on the configured address for a moment. Throws an OperatorError when that is impossible, before anything is
 * created.
 */
export async function requireFreeAddress(config: Config): Promise<void> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject);
      probe.listen({ host: config.HOST, port: config.PORT, exclusive: true }, resolve);
    });
  } catch (error) {
    throw addressError(config, error);
  }
  await new Promise((resolve) => probe.close(resolve));
}

/** Returns the error for an address that the process cannot listen on. Other errors are returned unchanged. */
export function addressError(config: Config, error: unknown): unknown {
  const reason = refusedAddress(config, error);
  return reason === null ? error : new OperatorError(reason);
}

function refusedAddress({ HOST, PORT }: Config, error: unknown): string | null {
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return `Another program listens on port ${PORT} of ${HOST}. Stop that program, or set PORT to another port (0 picks a free port).`;
    case 'EACCES':
      return `This user may not listen on port ${PORT}. Set PORT to 1024 or more.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${HOST} is not an address of this machine. Set HOST to an address of this machine, for example 127.0.0.1.`;
    default:
      return null;
  }
}
