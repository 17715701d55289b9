import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { collectYoung } from '../../src/platform/process/collect-garbage.ts';

const MEGABYTE = 1_048_576;

const held = (): number => process.memoryUsage().arrayBuffers;

/** Takes eight megabytes of memory and lets them go. Returns the number of buffers. */
const waste = (): number => Array.from({ length: 128 }, () => Buffer.alloc(MEGABYTE / 16)).length;

/** Wastes memory, collects, and returns true when the memory is free again. V8 frees buffers in another thread. */
async function isFreed(): Promise<boolean> {
  // Buffers of earlier work must not count.
  collectYoung();
  await delay(100);
  const before = held();
  expect(waste()).toBe(128);
  collectYoung();
  for (let looks = 0; looks < 50 && held() > before + MEGABYTE; looks += 1) await delay(10);
  return held() < before + MEGABYTE;
}

it('frees buffers that nobody holds', async () => {
  // Collections of V8 itself may make buffers old while they are taken. Then a collection of the young ones frees none.
  for (let times = 0; times < 5; times += 1) if (await isFreed()) return;
  throw new Error('Five collections freed no buffers.');
});
