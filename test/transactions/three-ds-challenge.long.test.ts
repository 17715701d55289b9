import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  cardOf,
  CHALLENGED,
  startThreeDSHarness,
  type Shown,
  type ThreeDSHarness,
} from './three-ds-harness.ts';
const RETURN = 'https://shop.example/back?cart=7';

let harness: ThreeDSHarness;
beforeAll(async () => {
  harness = await startThreeDSHarness();
});
afterAll(() => harness.stop());

const challenged = (input: Record<string, unknown> = {}, key?: string): Promise<Shown> =>
  harness.pay({ ...cardOf(CHALLENGED), ...input }, key);

describe('a payment whose buyer is challenged', () => {
  it('is settled once when it is passed 20 times and failed 20 times at once, and once more', async () => {
    const waiting = await challenged({ redirectUrl: RETURN });
    const since = await harness.since();
    const words = Array.from({ length: 40 }, (_, index) => (index % 2 ? 'approved' : 'refused'));

    const answers = await Promise.all(words.map((reported) => harness.say(waiting, reported)));

    expect(answers.every(({ status }) => status === 303)).toBe(true);
    const { status, errorCode } = await harness.show(waiting.id);
    expect(['AUTHORIZATION_SUCCEEDED', 'AUTHORIZATION_DECLINED']).toContain(status);
    const isPaid = status === 'AUTHORIZATION_SUCCEEDED';
    await harness.say(waiting, isPaid ? 'refused' : 'approved');
    expect(await harness.show(waiting.id)).toMatchObject({ status, errorCode });
    expect(since.calls()).toEqual(isPaid ? ['authorize'] : []);
  });
});
