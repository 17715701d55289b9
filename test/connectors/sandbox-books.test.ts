import { afterAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { callBooks } from '../../src/connectors/calls/call-books.ts';
import type { CallContext, Credentials } from '../../src/connectors/interface/call-context.ts';
import { sandbox } from '../../src/connectors/sandbox/index.ts';
import { createHttpClient, SANDBOX_NETWORKS } from '../../src/platform/http/http-client.ts';
import { startFakeProvider } from '../support/fake-provider.ts';
import { noTokens } from '../support/no-tokens.ts';

const KEY = '019a0000-0000-7000-8000-00000000000a';
const USD = (amount: number) => ({ amount, currency: 'USD' });

const provider = await startFakeProvider();
const http = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true });
const log = pino({ level: 'silent' });
afterAll(async () => {
  http.close();
  await provider.close();
});

const contextOf = (credentials: Credentials): CallContext => {
  const [definition] = sandbox.definitions;
  if (!definition) throw new Error('No definition');
  return {
    ...{ definition, credentials, environment: 'sandbox', http },
    ...{ accessTokens: noTokens(), deadlineMs: 10_000 },
  };
};

const read = (credentials: Credentials = { api_url: provider.url, api_key: 'a secret of the test' }) =>
  callBooks(sandbox, contextOf(credentials), log, {
    ...{ reference: 'pay_1', createdAt: new Date(0), currency: 'USD' },
  });

describe('the books of a payment in the sandbox', () => {
  it('are null for the built-in provider, and for an unknown payment', async () => {
    expect([await read({}), await read()]).toEqual([null, null]);
  });

  it('tell every operation as its webhook does', async () => {
    const payment = { payment_service_transaction_id: 'pay_1', currency: 'USD' };
    provider.paymentBooks.set('pay_1', {
      ...{ result: 'found', state: 'closed', authorized: 1000, currency: 'USD' },
      events: [
        { ...payment, event: 'capture.succeeded', idempotency_key: KEY, amount: 300 },
        {
          ...{ ...payment, event: 'refund.succeeded', payment_service_reference: 'ref_1', amount: 100 },
          message: 'for a secret of the test',
        },
      ],
    });
    const books = await read();
    expect(books).toMatchObject({
      ...{ kind: 'books', state: 'closed', authorized: USD(1000) },
      notices: [
        { eventKey: `books:capture:succeeded:${KEY}:300`, verb: 'capture', key: KEY },
        {
          ...{ eventKey: 'books:refund:succeeded:ref_1:100', key: null, reference: 'ref_1' },
          outcome: { kind: 'succeeded', money: USD(100) },
        },
      ],
    });
    expect(JSON.stringify(books)).not.toContain('a secret of the test');
    expect(await read()).toEqual(books);
  });

  it.each([
    { event: 'refund.succeeded', amount: 'many' },
    { event: 'capture.reversed', payment_service_reference: 'cap_1', amount: 0, currency: 'USD' },
  ])('are unknown with an operation that cannot be read: %j', async (event) => {
    const answer = { result: 'found', state: 'open', authorized: 1000, currency: 'USD' } as const;
    provider.paymentBooks.set('pay_1', { ...answer, events: [event] });
    expect(await read()).toEqual({ kind: 'unknown', cause: 'unreadable' });
  });
});
