import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { collectYoung } from '../../src/platform/process/collect-garbage.ts';

const MEGABYTE = 1_048_576;

const held = (): number => process.memoryUsage().arrayBuffers;

/** Takes eight megabytes of memory and lets them go. Returns the number of buffers. */
const waste = (): number => Array.from({ length: 128 }, () => Buffer.alloc(MEGABYTE / 16)).length;

it('frees buffers that nobody holds', async () => {
  // Buffers of earlier work must not count.
  collectYoung();
  await delay(100);
  const before = held();
  expect(waste()).toBe(128);
  collectYoung();
  // V8 gives the memory back in another thread.
  for (let looks = 0; looks < 200 && held() > before + MEGABYTE; looks += 1) await delay(10);
  expect(held()).toBeLessThan(before + MEGABYTE);
});
