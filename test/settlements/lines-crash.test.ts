import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { newId, refundOf, startLinesPlay, type LinesPlay } from './lines-play.ts';

// A process dies at each point between the report of a settlement and the booking of its line.

let play: LinesPlay;
beforeAll(async () => {
  play = await startLinesPlay();
});
afterAll(() => play.harness.stop());

it.each([
  ...['settlements.fetched', 'settlements.recorded', 'lines.decided', 'lines.told'],
  ...['inbound.matched', 'elsewhere.booking', 'elsewhere.booked', 'inbound.applied'],
])('a line is booked and settled once although the process dies at %s', async (point) => {
  const id = await play.pay({ intent: 'CAPTURE' });
  const since = await play.harness.since();
  const line = { id: newId(), ...refundOf(await play.paymentOf(id), 400) };
  let deaths = 0;
  const live = setFailpoint(point, () => {
    deaths += 1;
    throw new Error('The process dies');
  });
  await play.settle(line);
  live();
  await play.harness.pass(6 * 60_000);

  await play.settle(line);
  await play.tellLines();

  expect(deaths).toBeGreaterThanOrEqual(1);
  expect(await play.ledger(id)).toEqual(['authorize 1000', 'capture 1000', 'refund 400']);
  const names = (await since.eventNames()).filter((name) => !name.startsWith('settlement.'));
  expect(names).toEqual(['refund.succeeded']);
  expect((await play.entries(id)).map(({ difference }) => difference)).toEqual([null]);
});

it('an unsure line is listed once although the process dies after the listing', async () => {
  const id = await play.pay({ intent: 'CAPTURE' });
  const live = setFailpoint('lines.told', () => {
    throw new Error('The process dies');
  });
  await play.settle(refundOf(await play.paymentOf(id), 400, null));
  live();
  await play.harness.pass(60_000);

  await play.tellLines();

  expect(await play.listed(id)).toHaveLength(1);
});
