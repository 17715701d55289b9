import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy that drops connections. */
export type CuttingProxy = {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  /** Connections that were dropped so far. */
  cuts(): number;
  close(): Promise<void>;
};

/**
 * Forwards to the server at `target`. The nth connection is dropped, in the middle of whatever it carries, after as many
 * bytes from the server as `budgets` says; those after the last budget are left alone.
 */
export async function startCuttingProxy(target: string, budgets: readonly number[]): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  let [connections, cuts] = [0, 0];
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    const pair = [client, server];
    let left = budgets[connections] ?? Infinity;
    // Both ways to lose a connection: reset, and closed without a word.
    const drop = connections % 2 === 0 ? () => client.resetAndDestroy() : () => client.destroy();
    connections += 1;
    for (const each of pair) {
      open.add(each);
      each.on('error', () => undefined);
      each.on('close', () => {
        open.delete(each);
        pair.forEach((one) => one.destroy());
      });
    }
    client.pipe(server);
    server.on('data', (bytes: Buffer) => {
      const rest = left - bytes.length;
      if (left > 0 && !client.write(bytes.subarray(0, left)) && rest > 0) {
        server.pause();
        client.once('drain', () => server.resume());
      }
      left = rest;
      if (rest > 0 || client.destroyed) return;
      cuts += 1;
      // What was forwarded leaves first.
      setImmediate(drop);
      server.destroy();
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cuts: () => cuts,
    close: async () => {
      const closed = new Promise((resolve) => proxy.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
