import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { askBalance } from '../../../src/connectors/calls/call-gift-card.ts';
import { callBooks } from '../../../src/connectors/calls/call-books.ts';
import { callConnector, lookUp } from '../../../src/connectors/calls/call.ts';
import type { Outcome } from '../../../src/connectors/door.ts';
import { createWebhookMaterial } from '../../../src/connectors/reading/webhook-material.ts';
import { readWebhook } from '../../../src/connectors/reading/read-webhook.ts';
import { hostMistake, reaches } from '../../../src/connectors/packages/declared-hosts.ts';
import type { PackagedConnector } from '../../../src/connectors/packages/package.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { createHttpClient, SANDBOX_NETWORKS } from '../../../src/platform/http/http-client.ts';
import { callOf, somePayment } from '../contract-calls.ts';
import { listenOn, type DoubleRequest, type DoubleServer } from '../double-server.ts';
import { contextOf, enclosed } from './acme.ts';

const http = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true });
const arrived: DoubleRequest[] = [];
let server: DoubleServer;
beforeAll(async () => {
  server = await listenOn({
    serve: (request) => {
      arrived.push(request);
      return Promise.resolve({ status: 200, headers: {}, body: '{}' });
    },
  });
});
afterAll(async () => {
  http.close();
  await server.close();
});

const MONEY = { amount: 1299, currency: 'EUR' };
const refund = () => callOf('refund', MONEY, { paid: somePayment(), pays: {} });
const UNREADABLE = { kind: 'unknown', cause: 'unreadable' };

/** Refunds with a connector whose refunds are as given. */
async function refundBy(
  given: (...all: Parameters<PackagedConnector['refund']>) => unknown,
  deadlineMs = 5_000,
) {
  const { connector, log, lines } = enclosed({ refund: given as PackagedConnector['refund'] });
  const outcome = await callConnector(connector, contextOf(http, deadlineMs), log, refund());
  return { outcome, lines: lines.join('') };
}

describe('an enclosed connector', () => {
  it('answers as it does alone, and names its package in its definitions', async () => {
    const { connector, log } = enclosed({});

    expect(await callConnector(connector, contextOf(http), log, refund())).toMatchObject({
      ...{ kind: 'succeeded', reference: 'A1', money: MONEY },
    });
    expect(connector.definitions).toMatchObject([
      { id: 'acme-card', package: { name: '@acme/paygraph-acme', version: '1.2.3' } },
    ]);
  });

  it.each<[string, () => unknown]>([
    ['throws', () => Promise.reject(new Error('in vain'))],
    ['throws at once', () => never()],
    ['answers nothing', () => undefined],
    ['answers with null where an outcome is due', () => Promise.resolve(null)],
    ['answers with an unknown word', () => Promise.resolve({ kind: 'yes' })],
    ['approves without a reference', () => Promise.resolve({ kind: 'succeeded', money: MONEY })],
    ['approves a fraction', () => answer({ money: { amount: 12.99, currency: 'EUR' } })],
    ['approves an amount as a text', () => answer({ money: { amount: '1299', currency: 'EUR' } })],
    ['has a reference that is a number', () => answer({ reference: 7 })],
    ['fails with a code of its own', () => answer({ kind: 'failed', errorCode: 'acme_42' })],
    ['is refused with a code of its own', () => unknown({ sent: false, refusedAs: 'acme_42' })],
    ['is refused, and may have been sent', () => unknown({ refusedAs: 'service_error' })],
  ])('has an unknown outcome if it %s', async (_, given) => {
    expect((await refundBy(given)).outcome).toEqual(UNREADABLE);
  });

  it('has an unknown outcome if it hangs', async () => {
    expect((await refundBy(() => new Promise(() => undefined), 20)).outcome).toEqual({
      ...{ kind: 'unknown', cause: 'timeout' },
    });
  });

  it('cannot change the amount that its answer is compared with', async () => {
    const { outcome, lines } = await refundBy((_, request) => {
      Object.assign(request.money, { amount: 1 });
      return answer({ money: { amount: 1, currency: 'EUR' } });
    });

    expect(outcome).toEqual(UNREADABLE);
    expect(lines).toContain('The provider confirmed a different amount or currency.');
  });

  it('cannot change its answer later', async () => {
    const money = { ...MONEY };
    const { outcome } = await refundBy(() => answer({ money }));
    money.amount = 1;

    expect(outcome).toMatchObject({ kind: 'succeeded', money: MONEY });
  });

  it('gives a balance with a listed code alone', async () => {
    const balanceOf = async (errorCode: string) => {
      const refused = { kind: 'refused', errorCode, rawErrorCode: null, rawErrorMessage: null };
      const unused = () => Promise.reject(new Error('unused'));
      const { connector, log } = enclosed({
        giftCards: {
          ...{ balance: () => Promise.resolve(refused as never), redeem: unused },
          ...{ unredeem: unused, refund: unused },
        },
      });
      return askBalance(connector, contextOf(http), log, { number: '6006491260550218', pin: '1234' });
    };

    expect(await balanceOf('expired_card')).toMatchObject({ kind: 'refused', errorCode: 'expired_card' });
    expect(await balanceOf('acme_42')).toEqual(UNREADABLE);
  });

  it('tells the field of an answer in another form, and no value', async () => {
    const { lines } = await refundBy(() =>
      answer({ money: { amount: '4111111111111111', currency: 'EUR' } }),
    );

    expect(lines).toContain('"field":"money.amount"');
    expect(lines).not.toContain('4111111111111111');
  });

  it('is looked up under the same rules', async () => {
    const request = {
      ...({ verb: 'refund', key: 'k', money: MONEY, createdAt: new Date(), reference: null } as const),
      ...{ approval: null, resuming: false },
    };
    const look = (found: unknown) => {
      const { connector, log } = enclosed({ lookup: () => Promise.resolve(found as Outcome) });
      return lookUp(connector, contextOf(http), log, request);
    };

    expect(await look(null)).toBeNull();
    expect(await look('found')).toEqual(UNREADABLE);
  });
});

describe('the network of an enclosed connector', () => {
  const send = (url: string) =>
    refundBy(async (context) => {
      const { reply, failure } = (await context.http.send({
        ...{ method: 'GET', url, headers: {}, deadlineMs: 5_000, replyBytesMax: 100, pool: 'acme' },
      })) as { readonly reply?: { status: number }; readonly failure?: { kind: string; sent: boolean } };
      return answer({ reference: `${reply?.status ?? failure?.kind} ${failure?.sent ?? ''}`.trim() });
    });

  it('has the declared hosts', async () => {
    arrived.length = 0;

    expect((await send(`${server.url}/refunds`)).outcome).toMatchObject({ reference: '200' });
    expect(arrived.map(({ path }) => path)).toEqual(['/refunds']);
  });

  it('has no other host, and the log names the host', async () => {
    arrived.length = 0;
    const { outcome, lines } = await send(server.url.replace('127.0.0.1', 'localhost'));

    expect(outcome).toMatchObject({ reference: 'forbidden_address false' });
    expect(arrived).toEqual([]);
    expect(lines).toContain(`"host":"${new URL(server.url).host.replace('127.0.0.1', 'localhost')}"`);
  });

  it('has nothing but `send`', async () => {
    let names: readonly string[] = [];
    await refundBy((context) => {
      names = Object.keys(context.http);
      return answer({});
    });

    expect(names).toEqual(['send']);
  });

  it.each([
    ['https://api.acme.example/v1', true],
    ['https://api.acme.example:8443/v1', false],
    ['https://eu.live.acme.example/v1', true],
    ['https://live.acme.example/v1', false],
    ['https://api.acme.example.evil.example/', false],
    ['https://evil.example/?api.acme.example', false],
    ['https://api.acme.example@evil.example/', false],
    ['http://127.0.0.1:4010/', true],
    ['no address', false],
  ])('%s: %s', (address, isReached) => {
    expect(reaches(['api.acme.example', '.live.acme.example', '127.0.0.1:*'], address)).toBe(isReached);
  });

  it.each([
    ['api.acme.example', null],
    ['.acme.example', null],
    ['api.acme.example:8443', null],
    ['127.0.0.1:*', null],
    ['10.0.0.1', null],
    ['.0.0.1', 'must be a host such as api.acme.example'],
    ['.acme.1:*', 'must be a host such as api.acme.example'],
    ['api.acme.example:443', 'must leave out the port 443 or 80, which every host has'],
  ])('may be declared as %s: %s', (host, mistake) => {
    expect(hostMistake(host)).toBe(mistake);
  });
});

describe('the books that an enclosed connector reads', () => {
  const notice = {
    ...{ occurredAt: new Date('2026-01-31T10:00:00Z'), verb: 'refund', key: null },
    ...{ reference: 'R1', paymentReference: 'P1' },
    outcome: { kind: 'succeeded', money: MONEY, rawResponseCode: null, rawResponseDescription: null },
  };
  const read = (changes: object) => {
    const books = {
      ...{ kind: 'books', state: 'closed', authorized: MONEY },
      notices: [{ ...notice, ...changes }],
    };
    const { connector, log } = enclosed({ readBooks: () => Promise.resolve(books as never) });
    const request = { reference: 'P1', createdAt: new Date(), currency: 'EUR' };
    return callBooks(connector, contextOf(http), log, request);
  };
  const paid = (money: unknown) => ({ outcome: { ...notice.outcome, money } });

  it('are read with their notices whole', async () => {
    expect(await read({ total: MONEY, final: true })).toMatchObject({
      ...{ kind: 'books', state: 'closed', authorized: MONEY },
      notices: [{ ...notice, total: MONEY, final: true }],
    });
  });

  it.each<[string, object]>([
    ['an amount as a text', paid({ amount: '1299', currency: 'EUR' })],
    ['a fraction', paid({ amount: 12.99, currency: 'EUR' })],
    ['a negative amount', paid({ amount: -1, currency: 'EUR' })],
    ['a success without money', paid(undefined)],
    ['an unknown verb', { verb: 'pay' }],
    ['a key that is no UUID', { key: 'k' }],
    ['a time as a text', { occurredAt: 'yesterday' }],
  ])('stay unread with %s', async (_, changes) => {
    expect(await read(changes)).toEqual(UNREADABLE);
  });
});

it('the text for the check of a webhook comes from a declared host', async () => {
  const of = async (url: string) => {
    const { connector } = enclosed({
      webhooks: {
        verify: () => ({ ok: false, refusals: ['bad_signature'] }),
        read: () => ({ ok: true, value: [] }),
        material: () => ({ url, hosts: [new URL(url).host] }),
      },
    });
    const request = {
      ...({ headers: {}, rawBody: Buffer.from(''), now: new Date(), credentials: {} } as const),
      ...({ environment: 'sandbox', definition: contextOf(http).definition } as const),
    };
    return (await createWebhookMaterial(http, systemClock).of('s', connector, request)).kind;
  };
  arrived.length = 0;

  expect(await of(`${server.url}/certificate`)).toBe('text');
  expect(await of(server.url.replace('127.0.0.1', 'localhost'))).toBe('forbidden');
  expect(arrived).toHaveLength(1);
});

it('the proof of an address is a text, or none', () => {
  const prove = (answer: unknown) =>
    enclosed({
      webhooks: {
        verify: () => ({ ok: false, refusals: ['bad_signature'] }),
        read: () => ({ ok: true, value: [] }),
        challenge: ({ word = '' }, { secret = '' }) =>
          (answer === undefined ? `${word} ${secret}` : answer) as string,
      },
    }).connector.webhooks?.challenge?.({ word: 'w' }, { secret: 's' });

  expect(prove(undefined)).toBe('w s');
  expect(prove(null)).toBeNull();
  expect(() => prove(1)).toThrow('into another form');
});

it('a webhook that an enclosed connector reads into another form stays unread', () => {
  const { connector, log } = enclosed({
    webhooks: {
      verify: ({ rawBody }) => ({
        ok: true,
        value: { parts: [String(rawBody)], unsigned: 0, isSigned: true },
      }),
      read: (part) => ({ ok: true, value: JSON.parse(part) as never }),
    },
  });
  const read = (notice: object) =>
    readWebhook(
      connector,
      {
        ...{ headers: {}, rawBody: Buffer.from(JSON.stringify([notice])), now: new Date() },
        ...{ credentials: {}, environment: 'sandbox', definition: contextOf(http).definition },
      },
      log,
    );
  const notice = {
    ...{
      eventKey: 'E1',
      occurredAt: null,
      verb: 'refund',
      key: null,
      reference: 'R1',
      paymentReference: 'P1',
    },
    outcome: { kind: 'succeeded', money: MONEY, rawResponseCode: null, rawResponseDescription: null },
  };

  expect(read(notice)).toMatchObject({ ok: true, value: { notices: [{ reference: 'R1' }], unread: [] } });
  expect(read({ kind: 'look_up', reference: 'P1' })).toMatchObject({
    ...{ ok: true, value: { notices: [], lookUps: ['P1'], unread: [] } },
  });
  expect(
    read({ ...notice, outcome: { ...notice.outcome, money: { amount: 1.5, currency: 'EUR' } } }),
  ).toMatchObject({
    ...{ ok: true, value: { notices: [], unread: [{ reason: 'reader_failed' }] } },
  });
});

const unknown = (changes: object): Promise<unknown> =>
  Promise.resolve({ kind: 'unknown', cause: 'connection', ...changes });

/** An approval, with these changes. */
const answer = (changes: object): Promise<unknown> =>
  Promise.resolve({
    ...{ kind: 'succeeded', reference: 'R1', money: MONEY },
    ...{ rawResponseCode: null, rawResponseDescription: null },
    ...changes,
  });

function never(): never {
  throw new Error('in vain');
}
