import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { collectYoung } from '../../src/platform/collect-garbage.ts';

const MEGABYTE = 1_048_576;

const held = (): number => process.memoryUsage().arrayBuffers;

/** Takes eight megabytes of memory and lets them go. Returns the number of buffers. */
const waste = (): number => Array.from({ length: 128 }, () => Buffer.alloc(MEGABYTE / 16)).length;

/** Collects, and waits for the thread of V8 that gives the memory back. */
async function collectAndWait(): Promise<void> {
  collectYoung();
  await delay(100);
}

it('frees buffers that nobody holds', async () => {
  // Buffers of earlier work must not count.
  await collectAndWait();
  const before = held();
  expect(waste()).toBe(128);
  await collectAndWait();
  expect(held()).toBeLessThan(before + MEGABYTE);
});
