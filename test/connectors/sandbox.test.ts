import { describe, expect, it } from '@jest/globals';
import { outcomeFromWire } from '../../src/connectors/sandbox/wire.ts';

const approved = {
  result: 'approved',
  id: 'pay_1',
  amount: 1299,
  currency: 'USD',
  code: '00',
  message: 'Approved',
};

describe("the sandbox provider's answer", () => {
  it('says what the checks found', () => {
    expect(outcomeFromWire({ ...approved, avs: 'no_match', cvv: 'not_provided' })).toMatchObject({
      kind: 'succeeded',
      avsResponseCode: 'no_match',
      cvvResponseCode: 'not_provided',
    });
  });

  it('is believed although it has another word for what the checks found', () => {
    expect(outcomeFromWire({ ...approved, avs: 'X', cvv: 7 })).toMatchObject({
      kind: 'succeeded',
      reference: 'pay_1',
      avsResponseCode: null,
      cvvResponseCode: null,
    });
  });
});
