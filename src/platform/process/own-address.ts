import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
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
 * Throws an OperatorError when the process cannot listen on the configured address, before anything is created. A program on one of
 * several addresses may stay unnoticed. The later listening then fails with the same message.
 *
 * It does not listen for a moment to find out. A proxy may try the port meanwhile, and the end of the listening would reset its request.
 */
export async function requireFreeAddress(config: Config): Promise<void> {
  await bindDatagrams(config).catch((error: unknown) => {
    if (errorCode(error) !== 'EADDRINUSE') throw addressError(config, error);
  });
  if (await isListenedOn(config)) throw new OperatorError(taken(config));
}

/** Binds the address for datagrams. The rules of permission and of addresses are those for connections. */
async function bindDatagrams({ HOST, PORT: port }: Config): Promise<void> {
  const { address, family } = await lookup(HOST);
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.bind({ address, port, exclusive: true }, resolve);
    });
  } finally {
    socket.close();
  }
}

/** The time for an answer of this machine. */
const ANSWER_MS = 2_000;

/** True if a connection to the configured port succeeds. */
async function isListenedOn({ HOST: host, PORT: port }: Config): Promise<boolean> {
  if (port === 0) return false;
  const socket = connect({ host, port, timeout: ANSWER_MS });
  try {
    return await new Promise<boolean>((resolve) => {
      // The kernel may choose the same port for our end. The connection then leads to itself.
      socket.once('connect', () => resolve(socket.localPort !== port));
      socket.once('error', () => resolve(false));
      // Only a program that listens and takes no more can leave us waiting.
      socket.once('timeout', () => resolve(true));
    });
  } finally {
    socket.destroy();
  }
}

const taken = ({ HOST, PORT }: Config): string =>
  `Another program listens on port ${PORT} of ${HOST}. Stop that program, or set PORT to another port (0 picks a free port).`;

/** Returns the error for an address that the process cannot listen on. Other errors are returned unchanged. */
export function addressError(config: Config, error: unknown): unknown {
  const reason = refusedAddress(config, error);
  return reason === null ? error : new OperatorError(reason);
}

function refusedAddress(config: Config, error: unknown): string | null {
  const { HOST, PORT } = config;
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return taken(config);
    case 'EACCES':
      return `This user may not listen on port ${PORT}. Set PORT to 1024 or more.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${HOST} is not an address of this machine. Set HOST to an address of this machine, for example 127.0.0.1.`;
    default:
      return null;
  }
}
