import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { callConnector } from '../../../src/connectors/calls/call.ts';
import type { CaptureRequest } from '../../../src/connectors/interface/requests.ts';
import { openDouble } from './double-client.ts';
import { CREDENTIALS, KEY, MERCHANT_ACCOUNT } from './samples.ts';
import { openScripted } from './scripted-server.ts';

const FINAL = {
  ...{ verb: 'capture', key: KEY, reference: 'NC6HT9CRT65ZGN82' },
  ...{ money: { amount: 500, currency: 'EUR' }, final: true, rest: 799 },
} as const;
const RECEIVED = {
  status: 201,
  body: { status: 'received', pspReference: 'MOD1', merchantAccount: MERCHANT_ACCOUNT },
};
const REFUSED = { status: 422, body: { errorCode: '167', errorType: 'validation', message: 'Unknown' } };

const server = await openScripted();
const logged: string[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });

/** Captures through the one caller. Returns the outcome and the new lines of the log. */
async function capture(changes: Partial<CaptureRequest> = {}, deadlineMs = 5_000) {
  logged.length = 0;
  const credentials = { ...CREDENTIALS, multiple_captures: 'true' };
  const context = server.context({ credentials, deadlineMs });
  const outcome = await callConnector(server.connector, context, log, {
    ...{ ...FINAL, ...changes },
    verb: 'capture',
  });
  return { outcome, lines: [...logged] };
}

describe('the release after a final capture', () => {
  it('follows the capture, under a key and a reference of its own', async () => {
    server.answer(RECEIVED);

    const { outcome, lines } = await capture();

    expect(outcome).toMatchObject({ kind: 'accepted', reference: 'MOD1' });
    expect(outcome).not.toHaveProperty('unreleased');
    expect(lines).toEqual([]);
    expect(server.received).toMatchObject([
      { path: '/v71/payments/NC6HT9CRT65ZGN82/captures', key: KEY },
      {
        ...{ path: '/v71/payments/NC6HT9CRT65ZGN82/cancels', key: `${KEY}:release` },
        body: { merchantAccount: MERCHANT_ACCOUNT, reference: `${KEY}_release` },
      },
    ]);
  });

  it.each([
    ['of the whole rest', { rest: 0 }],
    ['before others', { final: false }],
  ])('is not sent after a capture %s', async (_, changes) => {
    server.answer(RECEIVED);

    await capture(changes);

    expect(server.received).toHaveLength(1);
  });

  it.each([
    ['is refused', REFUSED, 'failed'],
    ['has no answer', null, 'unknown'],
  ])('is not sent where the capture %s', async (_, answer, kind) => {
    server.answer(answer);

    const { outcome } = await capture();

    expect(outcome).toMatchObject({ kind });
    expect(server.received.filter(({ path }) => path.endsWith('/cancels'))).toEqual([]);
  });

  it.each([
    ['refused', REFUSED, 'unknown_service_resource', 2],
    ['without an answer', { status: 500, body: {} }, 'server_error', 3],
  ])('that is %s leaves the capture as it is, and is logged', async (_, answer, cause, requests) => {
    server.answer(RECEIVED, answer);

    const { outcome, lines } = await capture();

    expect(outcome).toMatchObject({ kind: 'accepted', reference: 'MOD1', unreleased: cause });
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { connector: 'adyen', verb: 'capture', key: KEY, cause, msg: expect.stringContaining('still hold') },
    ]);
    expect(server.received).toHaveLength(requests);
    expect(new Set(server.received.slice(1).map(({ key }) => key))).toEqual(new Set([`${KEY}:release`]));
  });

  it('is not begun without time for its answer', async () => {
    server.answer(RECEIVED);

    const { outcome } = await capture({}, 400);

    expect(outcome).toMatchObject({ kind: 'accepted', unreleased: 'timeout' });
    expect(server.received).toHaveLength(1);
  });
});

describe('the double', () => {
  it('takes no capture after a cancel of the rest', () => {
    const { double, authorise, modify, events } = openDouble({ multipleCaptures: true });
    const psp = authorise('order-1');
    modify(psp, 'captures', 'c1', 500);
    modify(psp, 'cancels', 'r1');
    modify(psp, 'captures', 'c2', 100);

    expect(events(double.webhooks()).slice(-3)).toEqual([
      ['CAPTURE', 'true', 'c1'],
      ['CANCELLATION', 'true', 'r1'],
      ['CAPTURE', 'false', 'c2'],
    ]);
    expect(double.book('order-1')).toMatchObject({ captured: 500, cancelled: 799 });
  });
});
