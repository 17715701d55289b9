import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startHarness, type Harness } from './harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
});

afterAll(() => harness.stop());

const UNKNOWN = '018f0000-0000-7000-8000-000000000000';

describe('deletePaymentService', () => {
  test('deletes softly: the service can still be read, but is not in the list', async () => {
    const alone = await harness.rival();
    const service = await alone.made();
    const other = await alone.made();

    const payload = await alone.delete(service.id);

    const deleted = { ...service, isDeleted: true, updatedAt: payload.paymentService?.['updatedAt'] };
    expect(payload).toEqual({ paymentService: deleted, userErrors: [] });
    expect(deleted.updatedAt).not.toBe(service['updatedAt']);
    expect(await alone.get(service.id)).toEqual(deleted);
    expect((await alone.list()).nodes).toEqual([other]);
    expect((await alone.list({ deleted: true })).nodes).toEqual([deleted]);
  });

  test('returns the same for a repeat', async () => {
    const { id } = await harness.made();

    const payloads = await Promise.all([harness.delete(id), harness.delete(id), harness.delete(id)]);

    const [first] = payloads;
    expect(first.userErrors).toEqual([]);
    for (const payload of payloads) expect(payload).toEqual(first);
    expect(await harness.delete(id)).toEqual(first);
  });

  test('answers an unknown id, and an invalid one, as not found', async () => {
    for (const id of [UNKNOWN, 'nothing', '']) {
      const payload = await harness.delete(id);

      expect(payload).toMatchObject({
        paymentService: null,
        userErrors: [{ code: 'NOT_FOUND', path: ['id'] }],
      });
    }
  });

  test("answers another merchant account's service as an unknown one, and leaves it", async () => {
    const service = await harness.made();
    const rival = await harness.rival();

    const foreign = await rival.delete(service.id);

    expect(foreign).toEqual(await rival.delete(UNKNOWN));
    expect(await harness.get(service.id)).toEqual(service);
  });
});
