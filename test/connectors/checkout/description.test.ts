import { describe, expect, it } from '@jest/globals';
import { answerFaults, requestFaults } from './description.ts';

const ACTIONS = 'GET /payments/{id}/actions';
const ACTION = {
  ...{ id: `act_${'a'.repeat(26)}`, type: 'Capture', amount: 1299, response_code: '10000' },
  processed_on: '2026-11-24T12:00:00Z',
};

describe("Checkout.com's description", () => {
  it('takes only decided actions of known types', () => {
    expect(answerFaults(ACTIONS, 200, [ACTION])).toEqual([]);
    expect(answerFaults(ACTIONS, 200, [{ ...ACTION, response_code: undefined }])).toHaveLength(1);
    expect(answerFaults(ACTIONS, 200, [{ ...ACTION, type: 'Chargeback' }])).toHaveLength(1);
    expect(answerFaults(ACTIONS, 200, [{ ...ACTION, id: 'act_1' }])).not.toEqual([]);
  });

  it.each([
    [{ amount: 500, capture_type: 'NonFinal' }, 0],
    [{ amount: 5.5 }, 1],
    [{ amount: -1 }, 1],
    [{ capture_type: 'Partial' }, 1],
    [{ reference: 'x'.repeat(51) }, 1],
  ])('judges the capture %j', (body, faults) => {
    expect(requestFaults('POST /payments/{id}/captures', body)).toHaveLength(faults);
  });
});
