import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Recovery } from '../../src/connectors/interface/connector.ts';
import { wayToLearn, type Way } from '../../src/modules/transactions/recovery/inquire.ts';
import { CASES, describeFaults } from './class-faults.ts';
import {
  DONE,
  HELD,
  HOUR,
  KEYS,
  LOOKUP,
  NONE,
  SECOND,
  startClasses,
  VERBS,
  type Classes,
} from './class-meetings.ts';
import { reconcileAfter, unresolvedOn } from './unresolved.ts';

let classes: Classes;
beforeAll(async () => {
  classes = await startClasses();
});
afterAll(() => classes.harness.stop());

const NOW = new Date('2026-11-21T12:00:00.000Z');
const ago = (ms: number): Date => new Date(NOW.getTime() - ms);

describe('the way to learn an outcome', () => {
  // Times since the creation and since the last sending, and the provider's knowledge. Null means before the first
  // look-up.
  it.each<[string, Recovery, { made: number; sent?: number; taken?: number }, boolean | null, Way]>([
    ['a new key', KEYS, { made: 0 }, null, 'send_again'],
    ['a key that is remembered', KEYS, { made: 23 * HOUR }, null, 'send_again'],
    ['a key that may be forgotten when the request arrives', KEYS, { made: 24 * HOUR - 1 }, null, 'look_up'],
    ['a forgotten key', KEYS, { made: 24 * HOUR }, null, 'look_up'],
    ['a forgotten key that was sent again a moment ago', KEYS, { made: 24 * HOUR, sent: 0 }, null, 'look_up'],
    ['a forgotten key of something unknown there', KEYS, { made: 48 * HOUR }, false, 'wait'],
    ['an accepted operation under a key', KEYS, { made: 0, taken: 0 }, null, 'look_up'],
    ['an accepted operation under a key without a trace there', KEYS, { made: 0, taken: 0 }, false, 'wait'],
    ['a reference before it was asked for', LOOKUP, { made: 0 }, null, 'look_up'],
    ['a reference of long ago before it was asked for', LOOKUP, { made: 48 * HOUR }, null, 'look_up'],
    ['a request that may still arrive', LOOKUP, { made: 599 * SECOND }, false, 'wait'],
    ['a request repeated a moment ago', LOOKUP, { made: HOUR, sent: SECOND }, false, 'wait'],
    ['a request that a slow sender may have sent late', LOOKUP, { made: 600 * SECOND }, false, 'wait'],
    ['a request that cannot arrive any more', LOOKUP, { made: HOUR }, false, 'send_again'],
    ['an operation known by its reference', LOOKUP, { made: HOUR }, true, 'wait'],
    ['an accepted operation with a reference', LOOKUP, { made: HOUR, taken: 0 }, null, 'look_up'],
    [
      'an accepted operation with a reference without a trace there',
      LOOKUP,
      { made: HOUR, taken: 0 },
      false,
      'wait',
    ],
    ['anything where nobody can be asked', NONE, { made: 0 }, null, 'wait'],
    ['anything old where nobody can be asked', NONE, { made: 48 * HOUR }, null, 'wait'],
    ['an accepted operation without any inquiry', NONE, { made: 0, taken: 0 }, null, 'look_up'],
  ])('of %s', (_, recovery, { made, sent = made, taken }, knows, way) => {
    const operation = {
      createdAt: ago(made),
      sentAt: ago(sent),
      acceptedAt: taken === undefined ? null : ago(taken),
    };
    expect(wayToLearn(recovery, operation, { now: NOW, knows, leaseMs: 15 * SECOND })).toBe(way);
  });
});

// One fault of each kind. recovery-classes.long.test.ts has all of them.
describeFaults(
  () => classes,
  CASES.filter(
    ({ verb, fault }) => verb === 'capture' && ['lose_request', 'lose_answer', 'late'].includes(fault),
  ),
);

describe('a provider that compares repeats', () => {
  const answered = ['lose_answer', 'nonsense'] as const;

  it.each(answered)(
    'that met %s refuses the repeat without the security code, and is looked up',
    async (fault) => {
      const met = await classes.meet('compares', 'authorize', fault);

      await reconcileAfter(classes.harness, 10 * SECOND);

      expect(met.requested()).toEqual(['authorize', 'authorize', 'lookup']);
      expect(await met.transaction()).toMatchObject(DONE.authorize);
      expect(met.effects()).toBe(1);
    },
  );

  it.each(VERBS)('that repeats its old error for the %s is looked up', async (verb) => {
    const met = await classes.meet('compares', verb, 'error_after_work');

    await reconcileAfter(classes.harness, 10 * SECOND);

    expect(met.requested()).toEqual([verb, verb, 'lookup']);
    expect(await met.transaction()).toMatchObject(DONE[verb]);
    expect(met.effects()).toBe(1);
  });

  it('stays undecided while the look-up finds nothing, and is never taken for a refusal', async () => {
    const met = await classes.meet('compares', 'authorize', 'error_after_work');
    classes.providers.compares.forgetNextLook();

    await reconcileAfter(classes.harness, 10 * SECOND);
    expect(await met.transaction()).toMatchObject(HELD.authorize);
    expect(await unresolvedOn(classes.harness, met.id)).toMatchObject({ id: met.key, status: 'PENDING' });
    await reconcileAfter(classes.harness, 30 * SECOND);

    expect(await met.transaction()).toMatchObject(DONE.authorize);
    expect(met.effects()).toBe(1);
  });
});

describe('a provider with a way of recovery for each verb', () => {
  it.each([
    ['refund', ['refund', 'refund']],
    ['capture', ['capture', 'lookup']],
  ] as const)('recovers the %s in its own way', async (verb, requested) => {
    const met = await classes.meet('by_verb', verb, 'lose_answer');

    await reconcileAfter(classes.harness, 10 * SECOND);

    expect(met.requested()).toEqual(requested);
    expect(await met.transaction()).toMatchObject(DONE[verb]);
    expect(met.effects()).toBe(1);
  });
});

describe('a provider with look-ups', () => {
  it.each(VERBS)(
    'receives a lost %s again once the first request cannot be on its way any more',
    async (verb) => {
      const met = await classes.meet('lookup', verb, 'lose_request');

      await reconcileAfter(classes.harness, LOOKUP.quiescenceMs - SECOND);
      expect(met.requested()).toEqual([verb, 'lookup']);
      expect(await met.transaction()).toMatchObject(HELD[verb]);
      await reconcileAfter(classes.harness, 30 * SECOND);

      expect(await met.transaction()).toMatchObject(DONE[verb]);
      expect(met.requested()).toEqual([verb, 'lookup', 'lookup', verb]);
      expect(met.effects()).toBe(1);
    },
  );

  it('receives no repeat for a request that arrives between its "not found" and our hearing of it', async () => {
    const met = await classes.meet('lookup', 'capture', 'late');
    // The look-up starts too early, and its answer comes when a look-up would be late enough.
    classes.providers.lookup.atNextLook(() => {
      classes.harness.clock.advance(60 * SECOND);
      classes.providers.lookup.arrive();
    });

    await reconcileAfter(classes.harness, LOOKUP.quiescenceMs - SECOND);

    expect(met.requested()).toEqual(['capture', 'lookup', 'lookup']);
    expect(met.effects()).toBe(1);
    expect(await met.transaction()).toMatchObject(DONE.capture);
  });

  it('receives a lost request again as soon as possible, independently of the pauses between look-ups', async () => {
    const met = await classes.meet('lookup', 'capture', 'lose_request');
    const longestMs = 30 * SECOND;
    for (let turn = 0; turn * longestMs < LOOKUP.quiescenceMs; turn += 1)
      await reconcileAfter(classes.harness, longestMs);
    expect(met.requested().filter((what) => what === 'capture')).toHaveLength(1);

    await reconcileAfter(classes.harness, 10 * SECOND);

    expect(met.requested().filter((what) => what === 'capture')).toHaveLength(2);
    expect(await met.transaction()).toMatchObject(DONE.capture);
  });

  it('counts the waiting time from the last sending', async () => {
    const met = await classes.meet('lookup', 'capture', 'lose_request');
    classes.providers.lookup.failNext('late');
    await reconcileAfter(classes.harness, LOOKUP.quiescenceMs + 30 * SECOND);
    expect(met.requested()).toEqual(['capture', 'lookup', 'capture']);

    await reconcileAfter(classes.harness, LOOKUP.quiescenceMs - 30 * SECOND);
    expect(met.requested()).toEqual(['capture', 'lookup', 'capture', 'lookup']);
    classes.providers.lookup.arrive();
    await reconcileAfter(classes.harness, 30 * SECOND);

    expect(await met.transaction()).toMatchObject(DONE.capture);
    expect(met.effects()).toBe(1);
  });
});
