import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { simulate102, simulate21 } from '../../src/connectors/sandbox/anti-fraud/simulator.ts';
import type { CheckRequest102 } from '../../src/connectors/sandbox/anti-fraud/wire-10-2.ts';
import type { CheckRequest21 } from '../../src/connectors/sandbox/anti-fraud/wire-2-1.ts';

/**
 * The fault of the next check: a server error, a reply without JSON, or a verdict on another check. Or the connection
 * breaks, or no reply comes until the server is closed.
 */
export type CheckFault = 'server_error' | 'nonsense' | 'another_check' | 'lost' | 'hang';

export type RequestedCheck = {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly body: unknown;
};

/** A fake third party: real HTTP, both versions of its interface at their paths, and faults on demand. */
export type FakeAntiFraud = {
  readonly url: string;
  /** Every requested check, in order. */
  readonly calls: readonly RequestedCheck[];
  /** The faults of the next checks, one each. */
  failNext(...faults: readonly CheckFault[]): void;
  close(): Promise<void>;
};

export async function startFakeAntiFraud(): Promise<FakeAntiFraud> {
  const calls: RequestedCheck[] = [];
  const faults: CheckFault[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const { authorization, 'idempotency-key': key } = incoming.headers;
      const path = incoming.url ?? '';
      calls.push({ path, authorization, idempotencyKey: key?.toString(), body });
      response.setHeader('connection', 'close');
      const fault = faults.shift();
      if (fault === 'hang') return;
      if (fault === 'lost') return void response.destroy();
      if (fault === 'server_error') return void response.writeHead(500).end('Internal error');
      if (fault === 'nonsense') return void response.writeHead(200).end('reject');
      const reported = answer(path, fault === 'another_check' ? rejected(body) : body);
      response
        .writeHead(reported.status, { 'content-type': 'application/json' })
        .end(JSON.stringify(reported.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/risk/`,
    calls,
    failNext: (...given) => void faults.push(...given),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function answer(path: string, body: unknown): { readonly status: number; readonly body: unknown } {
  if (path === '/risk/2.1/checks') return simulate21(body as CheckRequest21);
  if (path === '/risk/10.2/checks') return simulate102(body as CheckRequest102);
  return { status: 404, body: null };
}

/** The request of another check. The caller must reject the reply. */
const rejected = (body: unknown): unknown => ({
  ...(body as object),
  ...{ check_ref: 'another', email: 'reject@shop.example' },
  ...{ requestId: 'another', customer: { email: 'reject@shop.example' } },
});
