import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { noTokens } from '../support/no-tokens.ts';
import { revokeMandate } from '../../src/connectors/calls/call-mandate.ts';
import type { Connector } from '../../src/connectors/interface/connector.ts';
import type { CallContext } from '../../src/connectors/interface/call-context.ts';
import type { Revocation } from '../../src/connectors/interface/mandates.ts';
import { sandbox } from '../../src/connectors/sandbox/index.ts';
import { revocationFromWire } from '../../src/connectors/sandbox/mandates.ts';

const log = pino({ level: 'silent' });
const context: CallContext = {
  definition: sandbox.definitions.find(({ id }) => id === 'mock-instant-bank') ?? never(),
  credentials: { merchant_id: 'test', api_key: 'a secret of the test' },
  http: { send: () => Promise.reject(new Error('The network was called')) },
  deadlineMs: 100,
  environment: 'sandbox',
  accessTokens: noTokens(),
};

function never(): never {
  throw new Error('No such definition');
}

describe('the built-in provider of mandates', () => {
  it.each<[string, Revocation]>([
    ['mandate-1', { kind: 'revoked' }],
    ['mandate-1_unknown', { kind: 'revoked' }],
    ['mandate-1_refused', { kind: 'refused', errorCode: 'invalid_operation' }],
  ])('answers about %s without a network, the same each time', async (mandate, reported) => {
    expect(await revokeMandate(sandbox, context, log, { key: 'k', mandate })).toEqual(reported);
    expect(await revokeMandate(sandbox, context, log, { key: 'k', mandate })).toEqual(reported);
  });
});

describe("the sandbox provider's answer about a mandate", () => {
  it.each([
    null,
    'revoked',
    {},
    { result: 'Revoked', code: '00' },
    { result: 'revoked' },
    { result: 'done', code: '00' },
  ])('is unknown when it breaks the contract: %j', (answer) => {
    expect(revocationFromWire(answer)).toEqual({ kind: 'unknown', cause: 'unreadable' });
  });
});

describe('the caller of providers of mandates', () => {
  const saying = (revoke: NonNullable<Connector['revokeMandate']>): Connector => ({
    ...sandbox,
    revokeMandate: revoke,
  });
  const call = (connector: Connector) =>
    revokeMandate(connector, context, log, { key: 'k', mandate: 'mandate-1' });

  it('treats exceptions and late answers as unknown outcomes', async () => {
    const late = saying(() => new Promise(() => undefined));
    const throwing = saying(() => {
      throw new Error('mandate-1');
    });

    expect(await call(late)).toEqual({ kind: 'unknown', cause: 'timeout' });
    expect(await call(throwing)).toEqual({ kind: 'unknown', cause: 'unreadable' });
    const without: Connector = { ...sandbox };
    delete without.revokeMandate;
    expect(await call(without)).toEqual({ kind: 'unknown', cause: 'unreadable' });
  });

  it('keeps the mandate and the credentials out of the words', async () => {
    const echo = saying(async () => ({
      kind: 'refused',
      errorCode: 'no mandate-1 for a secret of the test\u0000',
    }));

    expect(await call(echo)).toEqual({ kind: 'refused', errorCode: 'no … for … ' });
  });
});
