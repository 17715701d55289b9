import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy that drops connections. */
export type CuttingProxy = {
  /** The address of the proxy, without a slash at the end. */
  readonly url: string;
  /** The number of dropped connections so far. */
  cuts(): number;
  close(): Promise<void>;
};

/**
 * Forwards to the server at `target`. The nth connection is dropped after the nth budget of bytes from the server, in
 * the middle of any message. Connections after the last budget stay.
 */
export async function startCuttingProxy(target: string, budgets: readonly number[]): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  let [connections, cuts] = [0, 0];
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    const pair = [client, server];
    let left = budgets[connections] ?? Infinity;
    // Both ways to lose a connection: reset, and closed without a close frame.
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
      // Forwarded bytes leave first.
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
