import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { createTestDatabase } from './database.ts';
import { lastingPort } from './lasting-port.ts';

/** A database behind a proxy that a test cuts, as a network or a stopped Postgres does. */
export type CuttableDatabase = {
  /** The address through the proxy. */
  readonly url: string;
  /** The address beside the proxy. */
  readonly directUrl: string;
  /** Ends the connections, and refuses new ones. */
  cut(): Promise<void>;
  /** Takes connections again. */
  mend(): Promise<void>;
  drop(): Promise<void>;
};

/** Creates a migrated database behind a proxy. */
export async function createCuttableDatabase(): Promise<CuttableDatabase> {
  const database = await createTestDatabase();
  const target = new URL(database.url);
  const sockets = new Set<Socket>();
  const proxy = createServer((caller) => {
    const server = connect({ host: target.hostname, port: Number(target.port || '5432') });
    for (const socket of [caller, server]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        caller.destroy();
        server.destroy();
      });
    }
    caller.pipe(server).pipe(caller);
  });
  const listen = async (port: number): Promise<number> => {
    await once(proxy.listen(port, '127.0.0.1'), 'listening');
    return (proxy.address() as AddressInfo).port;
  };
  const cut = async (): Promise<void> => {
    if (!proxy.listening) return;
    const closed = once(proxy, 'close');
    proxy.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const port = await listen(await lastingPort());
  const through = new URL(database.url);
  through.host = `127.0.0.1:${port}`;
  return {
    url: through.href,
    directUrl: database.url,
    cut,
    mend: async () => void (await listen(port)),
    drop: async () => {
      await cut();
      await database.drop();
    },
  };
}
