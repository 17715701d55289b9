import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Recovery } from '../../src/connectors/connector.ts';
import { wayToLearn, type Way } from '../../src/modules/transactions/recovery/inquire.ts';
import { createShiftedClock } from '../support/shifted-clock.ts';
import { createClassProvider, FAULTS, isUndone, type ClassProvider } from './class-provider.ts';
import { unresolvedOn, reconcileAfter, resolve } from './unresolved.ts';
import { createService, startHarness, type Harness, type Payload } from './harness.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

const KEYS = { kind: 'keys', windowMs: 24 * HOUR } as const satisfies Recovery;
const LOOKUP = { kind: 'lookup', quiescenceMs: 600 * SECOND } as const satisfies Recovery;
const NONE = { kind: 'none' } as const satisfies Recovery;

const BY_VERB = { authorize: KEYS, capture: KEYS, refund: KEYS, void: KEYS, cancel: KEYS } as const;

const DEADLINE_MS = 150;

const VERBS = ['authorize', 'capture', 'refund', 'void'] as const;
type Verb = (typeof VERBS)[number];

const CASES = VERBS.flatMap((verb) => FAULTS.map((fault) => ({ verb, fault })));

let harness: Harness;
type Manner = Recovery['kind'] | 'compares' | 'by_verb';
let providers: Record<Manner, ClassProvider>;
let services: Record<Manner, string>;

beforeAll(async () => {
  const clock = createShiftedClock();
  providers = {
    keys: createClassProvider('keys', KEYS, clock),
    lookup: createClassProvider('lookup', LOOKUP, clock),
    none: createClassProvider('none', NONE, clock),
    compares: createClassProvider('compares', KEYS, clock, { comparesRequests: true }),
    by_verb: createClassProvider('by-verb', { ...BY_VERB, capture: LOOKUP }, clock),
  };
  harness = await startHarness('keys-card', {
    clock,
    connectors: Object.values(providers).map(({ connector }) => connector),
    settings: { PAYGRAPH_PROVIDER_DEADLINE_MS: String(DEADLINE_MS) },
  });
  const create = (definitionId: string) =>
    createService(harness.server, harness.provider.url, { definitionId });
  services = {
    keys: await create('keys-card'),
    lookup: await create('lookup-card'),
    none: await create('none-card'),
    compares: await create('compares-card'),
    by_verb: await create('by-verb-card'),
  };
});
afterAll(() => harness.stop());

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

/** The effect of each successful verb in the columns of its transaction. */
const DONE: Readonly<Record<Verb, Record<string, unknown>>> = {
  authorize: { status: 'AUTHORIZATION_SUCCEEDED', authorizedAmount: 1000 },
  capture: { status: 'CAPTURE_SUCCEEDED', capturedAmount: 900 },
  refund: { status: 'CAPTURE_SUCCEEDED', refundedAmount: 800, refundable: { amount: 200 } },
  void: { status: 'AUTHORIZATION_VOIDED', capturable: { amount: 0 } },
};

/** The columns after a failure. */
const UNDONE: Readonly<Record<Verb, Record<string, unknown>>> = {
  authorize: { status: 'AUTHORIZATION_FAILED', authorizedAmount: 0 },
  capture: { status: 'AUTHORIZATION_SUCCEEDED', capturedAmount: 0, capturable: { amount: 1000 } },
  refund: { status: 'CAPTURE_SUCCEEDED', refundedAmount: 0, refundable: { amount: 1000 } },
  void: { status: 'AUTHORIZATION_SUCCEEDED', capturable: { amount: 1000 } },
};

/** The columns while the outcome is unknown: no money has moved, and the amount is reserved. */
const HELD: Readonly<Record<Verb, Record<string, unknown>>> = {
  authorize: { status: 'PROCESSING', authorizedAmount: 0 },
  capture: { status: 'AUTHORIZATION_SUCCEEDED', capturedAmount: 0, capturable: { amount: 0 } },
  refund: { status: 'CAPTURE_SUCCEEDED', refundedAmount: 0, refundable: { amount: 200 } },
  void: { status: 'AUTHORIZATION_SUCCEEDED', capturable: { amount: 0 } },
};

/** An operation that met a fault, with an unknown outcome. */
type Met = {
  readonly id: string;
  /** The key of the operation at the provider. */
  readonly key: string;
  /** Lists the provider's requests about the operation, in order. */
  requested(): readonly string[];
  effects(): number;
  transaction(): Promise<Payload['transaction']>;
};

async function meet(kind: Manner, verb: Verb, fault: (typeof FAULTS)[number]): Promise<Met> {
  const provider = providers[kind];
  const input = { amount: 1000, paymentServiceId: services[kind] };
  const id = verb === 'authorize' ? null : await made(verb === 'refund' ? 'CAPTURE' : 'AUTHORIZE', input);
  provider.failNext(fault);
  const payload = id === null ? await harness.create(input) : await perform(verb, id);
  const transactionId = payload.transaction?.id ?? '';
  const found = await unresolvedOn(harness, transactionId);
  expect(found).toMatchObject({ kind: verb.toUpperCase(), status: 'PENDING', attempts: 1 });
  const key = found?.id ?? '';
  return {
    id: transactionId,
    key,
    requested: () => provider.requested.filter((each) => each.key === key).map(({ what }) => what),
    effects: () => provider.effectsOf(key),
    transaction: () => harness.transaction(transactionId),
  };
}

async function made(intent: 'AUTHORIZE' | 'CAPTURE', input: Record<string, unknown>): Promise<string> {
  const { transaction } = await harness.create({ intent, ...input });
  return transaction?.id ?? '';
}

function perform(verb: Verb, id: string): Promise<Payload> {
  if (verb === 'capture') return harness.capture(id, { amount: 900 });
  return verb === 'refund' ? harness.refund(id, { amount: 800 }) : harness.void(id);
}

describe('a provider with keys', () => {
  it.each(CASES)('that met $fault receives the $verb again, and does it once', async ({ verb, fault }) => {
    const met = await meet('keys', verb, fault);

    await reconcileAfter(harness, 10 * SECOND);
    providers.keys.arrive();

    expect(await met.transaction()).toMatchObject(DONE[verb]);
    expect(met.requested()).toEqual([verb, verb]);
    expect(met.effects()).toBe(1);
  });

  it.each(CASES)(
    'that met $fault and has forgotten the key of the $verb receives look-ups only',
    async (each) => {
      const { verb, fault } = each;
      const met = await meet('keys', verb, fault);

      await reconcileAfter(harness, KEYS.windowMs);

      expect(met.requested()).toEqual([verb, 'lookup']);
      expect(await met.transaction()).toMatchObject(isUndone(fault) ? HELD[verb] : DONE[verb]);
      if (!isUndone(fault)) return expect(met.effects()).toBe(1);
      if (fault === 'lose_request') {
        await resolve(harness, met.key, { outcome: 'FAILED', reason: 'The provider has no trace of it.' });
        expect(await met.transaction()).toMatchObject(UNDONE[verb]);
        return expect(met.effects()).toBe(0);
      }
      providers.keys.arrive();
      await reconcileAfter(harness, 30 * SECOND);
      expect(await met.transaction()).toMatchObject(DONE[verb]);
      expect(met.requested()).toEqual([verb, 'lookup', 'lookup']);
      expect(met.effects()).toBe(1);
    },
  );
});

describe('a provider that compares repeats', () => {
  const answered = ['lose_answer', 'nonsense'] as const;

  it.each(answered)(
    'that met %s refuses the repeat without the security code, and is looked up',
    async (fault) => {
      const met = await meet('compares', 'authorize', fault);

      await reconcileAfter(harness, 10 * SECOND);

      expect(met.requested()).toEqual(['authorize', 'authorize', 'lookup']);
      expect(await met.transaction()).toMatchObject(DONE.authorize);
      expect(met.effects()).toBe(1);
    },
  );

  it.each(VERBS)('that repeats its old error for the %s is looked up', async (verb) => {
    const met = await meet('compares', verb, 'error_after_work');

    await reconcileAfter(harness, 10 * SECOND);

    expect(met.requested()).toEqual([verb, verb, 'lookup']);
    expect(await met.transaction()).toMatchObject(DONE[verb]);
    expect(met.effects()).toBe(1);
  });

  it('stays undecided while the look-up finds nothing, and is never taken for a refusal', async () => {
    const met = await meet('compares', 'authorize', 'error_after_work');
    providers.compares.forgetNextLook();

    await reconcileAfter(harness, 10 * SECOND);
    expect(await met.transaction()).toMatchObject(HELD.authorize);
    expect(await unresolvedOn(harness, met.id)).toMatchObject({ id: met.key, status: 'PENDING' });
    await reconcileAfter(harness, 30 * SECOND);

    expect(await met.transaction()).toMatchObject(DONE.authorize);
    expect(met.effects()).toBe(1);
  });
});

describe('a provider with a way of recovery for each verb', () => {
  it.each([
    ['refund', ['refund', 'refund']],
    ['capture', ['capture', 'lookup']],
  ] as const)('recovers the %s in its own way', async (verb, requested) => {
    const met = await meet('by_verb', verb, 'lose_answer');

    await reconcileAfter(harness, 10 * SECOND);

    expect(met.requested()).toEqual(requested);
    expect(await met.transaction()).toMatchObject(DONE[verb]);
    expect(met.effects()).toBe(1);
  });
});

describe('a provider with look-ups', () => {
  it.each(CASES.filter(({ fault }) => fault !== 'lose_request'))(
    'that met $fault finds the $verb, and does not receive it again',
    async ({ verb, fault }) => {
      const met = await meet('lookup', verb, fault);

      await reconcileAfter(harness, 10 * SECOND);
      if (fault === 'late') {
        expect(await met.transaction()).toMatchObject(HELD[verb]);
        providers.lookup.arrive();
        await reconcileAfter(harness, 10 * SECOND);
      }

      expect(await met.transaction()).toMatchObject(DONE[verb]);
      expect(met.requested()).toEqual([verb, 'lookup', ...(fault === 'late' ? ['lookup'] : [])]);
      expect(met.effects()).toBe(1);
    },
  );

  it.each(VERBS)(
    'receives a lost %s again once the first request cannot be on its way any more',
    async (verb) => {
      const met = await meet('lookup', verb, 'lose_request');

      await reconcileAfter(harness, LOOKUP.quiescenceMs - SECOND);
      expect(met.requested()).toEqual([verb, 'lookup']);
      expect(await met.transaction()).toMatchObject(HELD[verb]);
      await reconcileAfter(harness, 30 * SECOND);

      expect(await met.transaction()).toMatchObject(DONE[verb]);
      expect(met.requested()).toEqual([verb, 'lookup', 'lookup', verb]);
      expect(met.effects()).toBe(1);
    },
  );

  it('receives no repeat for a request that arrives between its "not found" and our hearing of it', async () => {
    const met = await meet('lookup', 'capture', 'late');
    // The look-up starts too early, and its answer comes when a look-up would be late enough.
    providers.lookup.atNextLook(() => {
      harness.clock.advance(60 * SECOND);
      providers.lookup.arrive();
    });

    await reconcileAfter(harness, LOOKUP.quiescenceMs - SECOND);

    expect(met.requested()).toEqual(['capture', 'lookup', 'lookup']);
    expect(met.effects()).toBe(1);
    expect(await met.transaction()).toMatchObject(DONE.capture);
  });

  it('receives a lost request again as soon as possible, independently of the pauses between look-ups', async () => {
    const met = await meet('lookup', 'capture', 'lose_request');
    const longestMs = 30 * SECOND;
    for (let turn = 0; turn * longestMs < LOOKUP.quiescenceMs; turn += 1)
      await reconcileAfter(harness, longestMs);
    expect(met.requested().filter((what) => what === 'capture')).toHaveLength(1);

    await reconcileAfter(harness, 10 * SECOND);

    expect(met.requested().filter((what) => what === 'capture')).toHaveLength(2);
    expect(await met.transaction()).toMatchObject(DONE.capture);
  });

  it('counts the waiting time from the last sending', async () => {
    const met = await meet('lookup', 'capture', 'lose_request');
    providers.lookup.failNext('late');
    await reconcileAfter(harness, LOOKUP.quiescenceMs + 30 * SECOND);
    expect(met.requested()).toEqual(['capture', 'lookup', 'capture']);

    await reconcileAfter(harness, LOOKUP.quiescenceMs - 30 * SECOND);
    expect(met.requested()).toEqual(['capture', 'lookup', 'capture', 'lookup']);
    providers.lookup.arrive();
    await reconcileAfter(harness, 30 * SECOND);

    expect(await met.transaction()).toMatchObject(DONE.capture);
    expect(met.effects()).toBe(1);
  });
});

describe('a provider without any inquiry', () => {
  it.each(CASES)('that met $fault never receives the $verb again: a person resolves it', async (each) => {
    const { verb, fault } = each;
    const met = await meet('none', verb, fault);

    await reconcileAfter(harness, 10 * SECOND);
    expect(await unresolvedOn(harness, met.id)).toMatchObject({
      id: met.key,
      unknown: { nextAttemptAt: null },
    });
    expect(await met.transaction()).toMatchObject(HELD[verb]);
    providers.none.arrive();
    await reconcileAfter(harness, 8 * 24 * HOUR);

    expect(met.requested()).toEqual([verb]);
    const outcome = met.effects() === 1 ? 'SUCCEEDED' : 'FAILED';
    await resolve(harness, met.key, { outcome, reason: 'Seen in the back office.' });
    expect(await met.transaction()).toMatchObject(outcome === 'SUCCEEDED' ? DONE[verb] : UNDONE[verb]);
    expect(met.effects()).toBe(fault === 'lose_request' ? 0 : 1);
  });
});
