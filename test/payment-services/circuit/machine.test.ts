import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  countCall,
  countsAt,
  passes,
  type CallWindow,
} from '../../../src/modules/payment-services/circuit/call-window.ts';
import {
  ANSWERS_TO_CLOSE,
  beginTrial,
  endTrial,
  giveUpTrial,
  isDue,
  openCircuit,
  PAUSE_MAX_MS,
  PAUSE_MIN_MS,
  stateOf,
  type Circuit,
} from '../../../src/modules/payment-services/circuit/circuit.ts';
import { decisionAfter } from '../../../src/modules/payment-services/circuit/decision.ts';
import { orderByCircuits, orderForeseen } from '../../../src/modules/payment-services/circuit/order.ts';

const START = new Date('2026-12-01T10:00:00.000Z');
const after = (from: Date, ms: number): Date => new Date(from.getTime() + ms);

const opened = (now = START): Circuit =>
  openCircuit(
    { ...{ merchantAccountId: 'shop', paymentServiceId: 'service', id: 'opening' }, calls: 10, failures: 6 },
    now,
  );

describe('the counts of the last minute', () => {
  const calls = fc.array(fc.record({ failed: fc.boolean(), waitMs: fc.nat(20_000) }), { maxLength: 60 });

  it('are those of the calls of 55 to 60 seconds', () => {
    fc.assert(
      fc.property(calls, (given) => {
        let now = START;
        let window: CallWindow = [];
        const made: { at: Date; failed: boolean }[] = [];
        for (const { failed, waitMs } of given) {
          now = after(now, waitMs);
          window = countCall(window, { failed, now });
          made.push({ at: now, failed });
        }
        const counts = countsAt(window, now);
        const within = (ms: number) => made.filter(({ at }) => now.getTime() - at.getTime() < ms);
        const failuresOf = (those: readonly { failed: boolean }[]) =>
          those.filter(({ failed }) => failed).length;

        expect(counts.calls).toBeGreaterThanOrEqual(within(55_000).length);
        expect(counts.calls).toBeLessThanOrEqual(within(60_000).length);
        expect(counts.failures).toBeGreaterThanOrEqual(failuresOf(within(55_000)));
        expect(counts.failures).toBeLessThanOrEqual(failuresOf(within(60_000)));
        expect(window.length).toBeLessThanOrEqual(12);
      }),
    );
  });

  it('forget calls of the future after the clock was set back', () => {
    const window = countCall([], { failed: true, now: after(START, 600_000) });

    expect(countsAt(countCall(window, { failed: false, now: START }), START)).toEqual({
      calls: 1,
      failures: 0,
    });
  });

  it.each([
    [{ calls: 9, failures: 9 }, false],
    [{ calls: 10, failures: 4 }, false],
    [{ calls: 10, failures: 5 }, true],
    [{ calls: 11, failures: 5 }, false],
    [{ calls: 1_000, failures: 500 }, true],
    [{ calls: 0, failures: 0 }, false],
  ])('%j pass the threshold: %s', (counts, expected) => {
    expect(passes(counts, { failurePercent: 50, callsMin: 10 })).toBe(expected);
  });
});

/** A trial of a service. A trial has a result, is given up, or loses its process. */
type Step = { readonly kind: 'answered' | 'failed' | 'given up' | 'lost'; readonly waitMs: number };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom<Step['kind']>('answered', 'failed', 'given up', 'lost'),
    waitMs: fc.nat(60_000),
  }),
  { maxLength: 30 },
);

const LEASE_MS = 15_000;

describe('a circuit', () => {
  it('closes after three answers in a row, and only then', () => {
    fc.assert(
      fc.property(steps, (given) => {
        let circuit: Circuit | null = opened();
        let inARow = 0;
        for (const { kind, waitMs } of given) {
          if (circuit === null) break;
          const now: Date = after(circuit.tryAgainAt, waitMs);
          expect(isDue(circuit, now)).toBe(true);
          const trial: Circuit = beginTrial(circuit, after(now, LEASE_MS));
          expect(isDue(trial, now)).toBe(false);
          if (kind === 'answered') inARow += 1;
          if (kind === 'failed') inARow = 0;
          circuit =
            kind === 'lost'
              ? trial
              : kind === 'given up'
                ? giveUpTrial(trial, now)
                : endTrial(trial, { failed: kind === 'failed', now });
          expect(circuit === null).toBe(inARow === ANSWERS_TO_CLOSE);
          if (circuit) expect(stateOf(circuit)).toBe(inARow > 0 ? 'half_open' : 'open');
        }
      }),
    );
  });

  it('changes its version with each step, and never moves a trial before the opening', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: -3_600_000, max: 0 }), (given, backMs) => {
        let circuit = opened();
        for (const { kind } of given) {
          // The clock was set back.
          const now = after(circuit.tryAgainAt, backMs);
          const trial = beginTrial(circuit, after(now, LEASE_MS));
          const next = kind === 'lost' ? trial : endTrial(trial, { failed: kind === 'failed', now });
          if (!next) return;
          expect(trial.version).toBe(circuit.version + 1);
          expect(next.version).toBeGreaterThanOrEqual(trial.version);
          expect(next.tryAgainAt >= next.openedAt).toBe(true);
          circuit = next;
        }
      }),
    );
  });

  it('waits from half a minute to some minutes, twice as long after each failed trial', () => {
    let circuit = opened();
    const pauses = [circuit.tryAgainAt.getTime() - START.getTime()];
    for (let nth = 0; nth < 40; nth += 1) {
      const now = circuit.tryAgainAt;
      const next = endTrial(beginTrial(circuit, after(now, LEASE_MS)), { failed: true, now });
      if (!next) throw new Error('A failed trial closed the circuit.');
      circuit = next;
      pauses.push(circuit.tryAgainAt.getTime() - now.getTime());
    }

    for (const [nth, pause] of pauses.entries()) {
      const least = Math.min(PAUSE_MIN_MS * 2 ** nth, PAUSE_MAX_MS);
      expect(pause).toBeGreaterThanOrEqual(least);
      expect(pause).toBeLessThanOrEqual(least * 1.1);
    }
    expect(opened().tryAgainAt).toEqual(opened().tryAgainAt);
  });
});

const services = fc
  .array(fc.constantFrom<'well' | 'waits' | 'due'>('well', 'waits', 'due'), { maxLength: 8 })
  .map((states) =>
    states.map((state, nth) => ({
      id: String(nth),
      state,
      circuit: state === 'well' ? null : opened(state === 'due' ? after(START, -3_600_000) : START),
    })),
  );

describe('the order of services', () => {
  it('adds none, leaves none out, and keeps both parts in order', () => {
    fc.assert(
      fc.property(services, (given) => {
        const { ordered } = orderByCircuits(given, START);

        expect(ordered.toSorted((one, other) => Number(one.id) - Number(other.id))).toEqual(given);
        expect(ordered).toEqual([
          ...given.filter(({ state }) => state === 'well'),
          ...given.filter(({ state }) => state !== 'well'),
        ]);
      }),
    );
  });

  it('tries again only a service in front of all that are well', () => {
    fc.assert(
      fc.property(services, (given) => {
        const { due } = orderByCircuits(given, START);
        const first = given.find(({ state }) => state !== 'waits');

        expect(due).toEqual(first?.state === 'due' ? first : null);
      }),
    );
  });

  it('foresees a service at its place when its time has come', () => {
    fc.assert(
      fc.property(services, (given) => {
        expect(orderForeseen(given, START)).toEqual([
          ...given.filter(({ state }) => state !== 'waits'),
          ...given.filter(({ state }) => state === 'waits'),
        ]);
      }),
    );
  });

  it('tells an effect only if a service was set behind another, or tried again', () => {
    fc.assert(
      fc.property(services, (given) => {
        const decision = decisionAfter(null, { services: given, tried: null });
        const behind = given.filter(({ state }) => state !== 'well').map(({ id }) => id);
        const hasEffect = behind.length > 0 && behind.length < given.length;

        expect(decision).toEqual(hasEffect ? { setBehind: behind, tried: [] } : null);
      }),
    );
    const given = [{ id: 'a', circuit: opened() }];
    const decision = decisionAfter({ setBehind: ['b'], tried: ['c'] }, { services: given, tried: 'a' });
    expect(decision).toEqual({ setBehind: ['b'], tried: ['c', 'a'] });
  });
});
