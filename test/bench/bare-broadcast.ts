import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { serve } from './child.ts';

// A process that broadcasts texts to all connected sockets, with nothing but `ws`. Its tasks are open and broadcast.

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
server.on('connection', (socket) => socket.on('error', () => undefined));

serve({
  open: async () => {
    if (!server.address()) await new Promise((resolve) => server.once('listening', resolve));
    return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
  broadcast: async ({ text, times }: { readonly text: string; readonly times: number }) => {
    for (let nth = 0; nth < times; nth += 1) await sendToAll(text);
  },
});

/** Resolves when every socket has accepted the text, so that nothing piles up in memory. */
function sendToAll(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let left = server.clients.size;
    const done = (error?: Error | null): void => {
      left -= 1;
      if (error) reject(error);
      else if (left === 0) resolve();
    };
    server.clients.forEach((client) => client.send(text, done));
  });
}
