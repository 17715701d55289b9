import { describe, expect, it } from '@jest/globals';
import { DONE, HELD, HOUR, KEYS, SECOND, UNDONE, VERBS, type Classes, type Verb } from './class-meetings.ts';
import { FAULTS, isUndone } from './class-provider.ts';
import { reconcileAfter, resolve, unresolvedOn } from './unresolved.ts';

export type Case = { readonly verb: Verb; readonly fault: (typeof FAULTS)[number] };

/** Each operation with each fault. */
export const CASES: readonly Case[] = VERBS.flatMap((verb) => FAULTS.map((fault) => ({ verb, fault })));

/** Defines the tests of operations that meet faults at a provider of each class. */
export function describeFaults(classes: () => Classes, cases: readonly Case[]): void {
  describe('a provider with keys', () => describeKeys(classes, cases));
  describe('a provider with look-ups', () => describeLookUps(classes, cases));
  describe('a provider without any inquiry', () => describeNoInquiry(classes, cases));
}

function describeKeys(classes: () => Classes, cases: readonly Case[]): void {
  it.each(cases)('that met $fault receives the $verb again, and does it once', async ({ verb, fault }) => {
    const met = await classes().meet('keys', verb, fault);

    await reconcileAfter(classes().harness, 10 * SECOND);
    classes().providers.keys.arrive();

    expect(await met.transaction()).toMatchObject(DONE[verb]);
    expect(met.requested()).toEqual([verb, verb]);
    expect(met.effects()).toBe(1);
  });

  it.each(cases)(
    'that met $fault and has forgotten the key of the $verb receives look-ups only',
    async (each) => {
      const { verb, fault } = each;
      const met = await classes().meet('keys', verb, fault);

      await reconcileAfter(classes().harness, KEYS.windowMs);

      expect(met.requested()).toEqual([verb, 'lookup']);
      expect(await met.transaction()).toMatchObject(isUndone(fault) ? HELD[verb] : DONE[verb]);
      if (!isUndone(fault)) return expect(met.effects()).toBe(1);
      if (fault === 'lose_request') {
        await resolve(classes().harness, met.key, {
          outcome: 'FAILED',
          reason: 'The provider has no trace of it.',
        });
        expect(await met.transaction()).toMatchObject(UNDONE[verb]);
        return expect(met.effects()).toBe(0);
      }
      classes().providers.keys.arrive();
      await reconcileAfter(classes().harness, 30 * SECOND);
      expect(await met.transaction()).toMatchObject(DONE[verb]);
      expect(met.requested()).toEqual([verb, 'lookup', 'lookup']);
      expect(met.effects()).toBe(1);
    },
  );
}

function describeLookUps(classes: () => Classes, cases: readonly Case[]): void {
  it.each(cases.filter(({ fault }) => fault !== 'lose_request'))(
    'that met $fault finds the $verb, and does not receive it again',
    async ({ verb, fault }) => {
      const met = await classes().meet('lookup', verb, fault);

      await reconcileAfter(classes().harness, 10 * SECOND);
      if (fault === 'late') {
        expect(await met.transaction()).toMatchObject(HELD[verb]);
        classes().providers.lookup.arrive();
        await reconcileAfter(classes().harness, 10 * SECOND);
      }

      expect(await met.transaction()).toMatchObject(DONE[verb]);
      expect(met.requested()).toEqual([verb, 'lookup', ...(fault === 'late' ? ['lookup'] : [])]);
      expect(met.effects()).toBe(1);
    },
  );
}

function describeNoInquiry(classes: () => Classes, cases: readonly Case[]): void {
  it.each(cases)('that met $fault never receives the $verb again: a person resolves it', async (each) => {
    const { verb, fault } = each;
    const met = await classes().meet('none', verb, fault);

    await reconcileAfter(classes().harness, 10 * SECOND);
    expect(await unresolvedOn(classes().harness, met.id)).toMatchObject({
      id: met.key,
      unknown: { nextAttemptAt: null },
    });
    expect(await met.transaction()).toMatchObject(HELD[verb]);
    classes().providers.none.arrive();
    await reconcileAfter(classes().harness, 8 * 24 * HOUR);

    expect(met.requested()).toEqual([verb]);
    const outcome = met.effects() === 1 ? 'SUCCEEDED' : 'FAILED';
    await resolve(classes().harness, met.key, { outcome, reason: 'Seen in the back office.' });
    expect(await met.transaction()).toMatchObject(outcome === 'SUCCEEDED' ? DONE[verb] : UNDONE[verb]);
    expect(met.effects()).toBe(fault === 'lose_request' ? 0 : 1);
  });
}
