import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { simulate, type SimulatorRequest } from '../../src/connectors/sandbox/simulator/simulator.ts';

// A separate process with a provider that takes so many milliseconds for everything: node test/bench/slow-provider.ts
// 120

const delayMs = Number(process.argv[2]);

const server = createServer((incoming, response) => {
  const arrivedAt = performance.now();
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', () => {
    const reply = simulate(JSON.parse(Buffer.concat(chunks).toString('utf8')) as SimulatorRequest);
    const answer = (): void => void response.end(JSON.stringify(reply));
    response.setHeader('content-type', 'application/json');
    setTimeout(answer, delayMs - (performance.now() - arrivedAt));
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${port}/payments\n`);
});

// Without the bench no process calls this provider.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.exit();
}, 1_000);
