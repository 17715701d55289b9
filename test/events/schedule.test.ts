import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  delayBefore,
  DELIVERY_WINDOW_MS,
  dueAfter,
  nextAttemptAt,
  parseRetryAfter,
  RETRY_MAX,
} from '../../src/modules/events/dispatch/schedule.ts';

const HOUR = 3_600_000;
const windowStart = new Date('2026-01-01T00:00:00Z');
const at = (ms: number): Date => new Date(windowStart.getTime() + ms);

describe('the schedule', () => {
  it('has 28 retries, quick at first, the last one after exactly seven days', () => {
    const seconds = Array.from({ length: RETRY_MAX }, (_, index) => dueAfter(index + 1) / 1_000);

    expect(seconds.slice(0, 8)).toEqual([5, 20, 65, 200, 605, 1_805, 5_405, 16_205]);
    expect(seconds.slice(8, 27)).toEqual(seconds.slice(7, 26).map((due) => due + 8 * 3_600));
    expect(seconds[27]).toBe(168 * 3_600);
    expect(RETRY_MAX).toBe(28);
  });

  it('has exactly 28 retries by the end of the window, for any jitter and any slow receiver', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 5_000 })), {
          minLength: 60,
          maxLength: 60,
        }),
        (history) => {
          const attempts = [0];
          for (const [chance, tookMs] of history) {
            const failedAt = at((attempts.at(-1) ?? 0) + tookMs);
            const next = nextAttemptAt({
              windowStart,
              failedAt,
              retry: attempts.length,
              retryAfterMs: null,
              chance,
            });
            if (!next) break;
            attempts.push(next.getTime() - windowStart.getTime());
          }
          expect(attempts).toHaveLength(1 + RETRY_MAX);
          expect(attempts.at(-1)).toBe(DELIVERY_WINDOW_MS);
          expect(attempts.every((moment, index) => index === 0 || moment > (attempts[index - 1] ?? 0))).toBe(
            true,
          );
          attempts.slice(9, -1).forEach((moment, index) => {
            // Jitter does not add up, but the duration of attempts does.
            expect(Math.abs(moment - dueAfter(index + 9))).toBeLessThanOrEqual(0.1 * 8 * HOUR + 28 * 5_000);
          });
        },
      ),
    );
  });

  it('keeps the pause of a late delivery within 10 % of its value, and never exceeds the window', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: DELIVERY_WINDOW_MS - 1 }),
        fc.integer({ min: 1, max: 40 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.option(fc.integer({ min: 0, max: 10 * DELIVERY_WINDOW_MS })),
        (failedMs, retry, chance, retryAfterMs) => {
          const next = nextAttemptAt({ windowStart, failedAt: at(failedMs), retry, retryAfterMs, chance });
          const pause = Number(next) - Number(at(failedMs));
          const left = DELIVERY_WINDOW_MS - failedMs;
          expect(pause).toBeGreaterThanOrEqual(Math.min(left, Math.floor(0.9 * delayBefore(retry))));
          expect(pause).toBeGreaterThanOrEqual(Math.min(left, retryAfterMs ?? 0, 8 * HOUR));
          expect(pause).toBeLessThanOrEqual(left);
        },
      ),
    );
  });

  it('gives up at the end of the window, not after a number of attempts', () => {
    const failure = { windowStart, retryAfterMs: null, chance: 0.5 };

    expect(nextAttemptAt({ ...failure, failedAt: at(DELIVERY_WINDOW_MS), retry: 2 })).toBeNull();
    expect(nextAttemptAt({ ...failure, failedAt: at(DELIVERY_WINDOW_MS - 1), retry: 2 })).toEqual(
      at(DELIVERY_WINDOW_MS),
    );
    expect(nextAttemptAt({ ...failure, failedAt: at(HOUR), retry: 100 })).toEqual(at(DELIVERY_WINDOW_MS));
  });

  it.each([
    [undefined, null],
    ['', null],
    ['soon', null],
    ['-5', null],
    ['0', 0],
    ['120', 120_000],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ])('reads Retry-After %j', (header, pause) => {
    expect(parseRetryAfter(header, windowStart)).toBe(pause);
  });
});
