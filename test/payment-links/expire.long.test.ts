import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startLinks, type LinksHarness } from './harness.ts';

let harness: LinksHarness;
beforeAll(async () => void (harness = await startLinks()));
afterAll(() => harness.stop());

describe('expiring a link', () => {
  it('and paying it at once: one of them wins, and no payment is lost', async () => {
    for (let round = 0; round < 8; round++) {
      const link = await harness.made();
      const [expired, paid] = await Promise.all([harness.expire(link.id), harness.pay(link)]);
      const shown = await harness.read(link.id);

      expect(paid.ok).toBe(expired.paymentLink === null);
      expect(shown).toMatchObject({ status: paid.ok ? 'COMPLETED' : 'EXPIRED' });
      expect(shown?.transactions).toHaveLength(paid.ok ? 1 : 0);
    }
  });
});
