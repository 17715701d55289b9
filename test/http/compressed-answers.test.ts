import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.mint();
});
afterAll(() => server.stop());

/** Reads a path as it comes over the wire. `fetch` would decompress the answer. */
async function read(path: string, accepted?: string) {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(accepted !== undefined && { 'accept-encoding': accepted }),
  };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${server.url}${path}`, { headers }, resolve).on('error', reject);
  });
  return { headers: answer.headers, bytes: await buffer(answer) };
}

const LARGE = '/payment-service-definitions';
const SMALL = '/payment-links';
const OPEN: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes),
  br: (bytes) => brotliDecompressSync(bytes),
};

describe('an answer of the API', () => {
  it.each([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0, gzip', 'gzip'],
  ])('is compressed for a caller that accepts %s', async (accepted, encoding) => {
    const plain = await read(LARGE);
    const { headers, bytes } = await read(LARGE, accepted);

    expect(headers['content-encoding']).toBe(encoding);
    expect(headers.vary).toContain('accept-encoding');
    expect(headers['content-type']).toBe(plain.headers['content-type']);
    expect(OPEN[encoding]?.(bytes).toString()).toBe(plain.bytes.toString());
    expect(bytes.length).toBeLessThan(plain.bytes.length / 3);
  });

  it.each([
    ['the caller accepts no encoding', LARGE, undefined],
    ['the caller refuses each', LARGE, 'identity'],
    ['it fits into a packet', SMALL, 'gzip, br'],
  ])('is plain if %s', async (_, path, accepted) => {
    const { headers, bytes } = await read(path, accepted);

    expect(headers['content-encoding']).toBeUndefined();
    expect(bytes.toString()).toMatch(/^\{/);
  });

  it('is plain if it is a page, which holds a secret beside texts of others', async () => {
    const { body } = await server.graphql<{ answer: { paymentLinkUrl: string } }>(
      `mutation { answer: createPaymentLink(input: { amount: 100, currency: "USD", country: "US" }) {
        paymentLinkUrl } }`,
    );
    const { headers, bytes } = await read(
      new URL(body.data?.answer.paymentLinkUrl ?? '').pathname,
      'gzip, br',
    );

    expect(headers['content-encoding']).toBeUndefined();
    expect(bytes.length).toBeGreaterThan(1_024);
    expect(bytes.toString()).toMatch(/^<!doctype html>/i);
  });
});
