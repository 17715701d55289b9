import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type pg from 'pg';
import { serve } from '../child.ts';
import type { Body } from './kinds.ts';
import { ask, openPool, type Listed, type Variables } from './statements.ts';

// A process that answers each kind of read with nothing but node:http and one statement. Its task is open.

serve({
  open: async (url: string) => {
    const pool = openPool(url, 'bare');
    const server = createServer((request, response) => void respond(pool, request, response));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  },
});

async function respond(pool: pg.Pool, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const data = await answer(pool, JSON.parse(await text(request)) as Body);
  const body = Buffer.from(JSON.stringify({ data }));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
}

async function answer(pool: pg.Pool, { name, variables }: Body): Promise<object> {
  const given = variables as Variables;
  if (name === 'typename') return { __typename: 'Query' };
  if (name === 'one') return { transaction: (await ask(pool, name, given))[0] ?? null };
  if (name === 'buyers') return { buyers: { nodes: await ask(pool, name, given) } };
  if (name === 'services') return { paymentServices: { nodes: await ask(pool, name, given) } };
  if (name === 'report') return { report: { rows: await ask(pool, name, given) } };
  const nodes = await ask(pool, name as Listed, given);
  return { transactions: { nodes } };
}
