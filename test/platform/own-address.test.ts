import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { parseConfig } from '../../src/platform/process/config.ts';
import { requireFreeAddress } from '../../src/platform/process/own-address.ts';
import { lastingPort } from '../support/lasting-port.ts';

const at = (HOST: string, port: number) => parseConfig({ HOST, PORT: String(port) });

it.each(['127.0.0.1', '0.0.0.0', '::1', '::', 'localhost'])(
  'refuses a port that is listened on at %s',
  async (host) => {
    const other = createServer();
    other.listen({ host, port: 0 });
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;

    await expect(requireFreeAddress(at(host, port))).rejects.toThrow(
      `Another program listens on port ${port}`,
    );
    other.close();
  },
);

it('refuses an address of another machine', async () => {
  await expect(requireFreeAddress(at('192.0.2.1', await lastingPort()))).rejects.toThrow(
    '192.0.2.1 is not an address of this machine.',
  );
});

it('takes no connection while it looks', async () => {
  const config = at('127.0.0.1', await lastingPort());
  const listened: unknown[] = [];
  const note = (message: unknown) => void listened.push(message);
  subscribe('tracing:net.server.listen:asyncStart', note);
  await requireFreeAddress(config);
  unsubscribe('tracing:net.server.listen:asyncStart', note);

  expect(listened).toEqual([]);
});

it('needs no free port if any port will do', async () => {
  await expect(requireFreeAddress(at('127.0.0.1', 0))).resolves.toBeUndefined();
});
