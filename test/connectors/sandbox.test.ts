import { describe, expect, it } from '@jest/globals';
import { noTokens } from '../support/no-tokens.ts';
import type { Connector } from '../../src/connectors/interface/connector.ts';
import type { CallContext } from '../../src/connectors/interface/call-context.ts';
import { sandbox } from '../../src/connectors/sandbox/index.ts';
import { outcomeFromWire } from '../../src/connectors/sandbox/wire/wire.ts';
import { describeContract } from './contract.ts';
import { withDefinitions } from './contract-provider.ts';
import { repeating } from './sandbox-subject.ts';

// The definition with a return of the buyer. sandbox.long.test.ts has all of them.
describeContract(withDefinitions(repeating, 'mock-redirect'));

const approved = {
  result: 'approved',
  id: 'pay_1',
  amount: 1299,
  currency: 'USD',
  code: '00',
  message: 'Approved',
};

describe("the sandbox provider's answer", () => {
  it('reports the results of the checks', () => {
    expect(outcomeFromWire({ ...approved, avs: 'no_match', cvv: 'not_provided' })).toMatchObject({
      kind: 'succeeded',
      avsResponseCode: 'no_match',
      cvvResponseCode: 'not_provided',
    });
  });

  it('counts despite an unknown word about the checks', () => {
    expect(outcomeFromWire({ ...approved, avs: 'X', cvv: 7 })).toMatchObject({
      kind: 'succeeded',
      reference: 'pay_1',
      avsResponseCode: null,
      cvvResponseCode: null,
    });
  });

  it.each([
    null,
    'approved',
    {},
    { ...approved, result: 'perhaps' },
    { ...approved, id: '' },
    { ...approved, amount: '1299' },
    { ...approved, amount: 12.99 },
    { ...approved, currency: undefined },
    { ...approved, code: 0 },
    { result: 'Not_Found' },
  ])('is unknown when it breaks the contract: %j', (answer) => {
    expect(outcomeFromWire(answer)).toEqual({ kind: 'unknown', cause: 'unreadable' });
  });
});

describe('the built-in provider', () => {
  const context = (definitionId: string): CallContext => {
    const definition = sandbox.definitions.find(({ id }) => id === definitionId);
    if (!definition) throw new Error(`No definition ${definitionId}`);
    const send = () => Promise.reject(new Error('The network was called'));
    const http = { send, refuseUrl: () => null, close: () => undefined };
    return {
      definition,
      credentials: { merchant_id: 'test' },
      http,
      deadlineMs: 1_000,
      environment: 'sandbox',
      accessTokens: noTokens(),
    };
  };
  const request = (amount: number): Parameters<Connector['capture']>[1] => ({
    key: 'one key',
    reference: 'pay_1',
    money: { amount, currency: 'USD' },
    final: true,
  });

  it('answers without a network, the same to the same key', async () => {
    const first = await sandbox.capture(context('mock-acquirer'), request(1299));

    expect(first).toMatchObject({ kind: 'succeeded', money: { amount: 1299, currency: 'USD' } });
    expect(await sandbox.capture(context('mock-acquirer'), request(1299))).toEqual(first);
  });

  it.each([
    ['mock-acquirer', 610_001, 'accepted', 'succeeded'],
    ['mock-acquirer', 610_002, 'accepted', 'declined'],
    ['mock-card', 610_001, 'succeeded', 'succeeded'],
    ['mock-card', 610_002, 'succeeded', 'succeeded'],
  ] as const)(
    'as %s answers a capture of %d with %s, then %s',
    async (definitionId, amount, reported, found) => {
      const requested = request(amount);

      expect(await sandbox.capture(context(definitionId), requested)).toMatchObject({ kind: reported });
      expect(
        await sandbox.lookup(context(definitionId), {
          ...requested,
          verb: 'capture',
          approval: null,
          resuming: false,
          createdAt: new Date(),
        }),
      ).toMatchObject({
        kind: found,
      });
    },
  );
});
