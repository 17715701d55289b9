import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createService } from '../transactions/harness.ts';
import { startSettling, type Settling } from './harness.ts';

let settling: Settling;
/** A service of the built-in provider, for payments in euros. */
let builtIn: string;

beforeAll(async () => {
  settling = await startSettling();
  builtIn = await createService(settling.harness.server, null, {
    ...{ definitionId: 'mock-acquirer', currencies: ['EUR'] },
  });
  await settling.setReporting(true, builtIn);
});
afterAll(() => settling.harness.stop());

it('the built-in provider settles the books of its own payment service alone', async () => {
  const { harness, nextDay, entries, drain } = settling;
  await harness.captured(1000);
  for (let sale = 0; sale < 12; sale += 1)
    await harness.create({ amount: 1000, currency: 'EUR', intent: 'CAPTURE' });

  await nextDay();

  const found = await entries({ paymentServiceId: [builtIn] });
  expect(found.map(({ kind, currency, difference }) => [kind, currency, difference])).toEqual([
    ['PAYOUT', 'EUR', null],
    ...Array<unknown>(12).fill(['CHARGE', 'EUR', null]),
  ]);
  expect(found[0]).toMatchObject({ gross: -12 * 970 });
  await harness.pass(3_600_000);
  await drain();
  expect(await entries({ paymentServiceId: [builtIn] })).toEqual(found);
});
