import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startHarness, type Harness } from './harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

describe('increaseAuthorization', () => {
  it('and a void at once: the void is never of an increased authorisation', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await harness.authorized(1000);

      const [increased, voided] = await Promise.all([
        harness.increase(id, { amount: 100 }),
        harness.void(id),
      ]);

      const now = await harness.transaction(id);
      const hasWon = increased.operation?.status === 'SUCCEEDED';
      expect(now?.authorizedAmount).toBe(hasWon ? 1100 : 1000);
      const isVoided = voided.operation?.status === 'SUCCEEDED';
      expect(now?.status).toBe(isVoided ? 'AUTHORIZATION_VOIDED' : 'AUTHORIZATION_SUCCEEDED');
      expect(hasWon || isVoided).toBe(true);
    }
  });
});
