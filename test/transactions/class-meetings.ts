import { expect } from '@jest/globals';
import type { Recovery } from '../../src/connectors/interface/connector.ts';
import { createShiftedClock } from '../support/shifted-clock.ts';
import { createClassProvider, type ClassProvider, type FAULTS } from './class-provider.ts';
import { createService, startHarness, type Harness, type Payload } from './harness.ts';
import { unresolvedOn } from './unresolved.ts';

export const SECOND = 1_000;
export const HOUR = 3_600 * SECOND;

export const KEYS = { kind: 'keys', windowMs: 24 * HOUR } as const satisfies Recovery;
export const LOOKUP = { kind: 'lookup', quiescenceMs: 600 * SECOND } as const satisfies Recovery;
export const NONE = { kind: 'none' } as const satisfies Recovery;

const BY_VERB = { authorize: KEYS, capture: KEYS, refund: KEYS, void: KEYS, cancel: KEYS } as const;

const DEADLINE_MS = 150;

export const VERBS = ['authorize', 'capture', 'refund', 'void'] as const;
export type Verb = (typeof VERBS)[number];
type Manner = Recovery['kind'] | 'compares' | 'by_verb';

/** The effect of each successful verb in the columns of its transaction. */
export const DONE: Readonly<Record<Verb, Record<string, unknown>>> = {
  authorize: { status: 'AUTHORIZATION_SUCCEEDED', authorizedAmount: 1000 },
  capture: { status: 'CAPTURE_SUCCEEDED', capturedAmount: 900 },
  refund: { status: 'CAPTURE_SUCCEEDED', refundedAmount: 800, refundable: { amount: 200 } },
  void: { status: 'AUTHORIZATION_VOIDED', capturable: { amount: 0 } },
};

/** The columns after a failure. */
export const UNDONE: Readonly<Record<Verb, Record<string, unknown>>> = {
  authorize: { status: 'AUTHORIZATION_FAILED', authorizedAmount: 0 },
  capture: { status: 'AUTHORIZATION_SUCCEEDED', capturedAmount: 0, capturable: { amount: 1000 } },
  refund: { status: 'CAPTURE_SUCCEEDED', refundedAmount: 0, refundable: { amount: 1000 } },
  void: { status: 'AUTHORIZATION_SUCCEEDED', capturable: { amount: 1000 } },
};

/** The columns while the outcome is unknown: no money has moved, and the amount is reserved. */
export const HELD: Readonly<Record<Verb, Record<string, unknown>>> = {
  authorize: { status: 'PROCESSING', authorizedAmount: 0 },
  capture: { status: 'AUTHORIZATION_SUCCEEDED', capturedAmount: 0, capturable: { amount: 0 } },
  refund: { status: 'CAPTURE_SUCCEEDED', refundedAmount: 0, refundable: { amount: 200 } },
  void: { status: 'AUTHORIZATION_SUCCEEDED', capturable: { amount: 0 } },
};

/** An operation that met a fault, with an unknown outcome. */
export type Met = {
  readonly id: string;
  /** The key of the operation at the provider. */
  readonly key: string;
  /** Lists the provider's requests about the operation, in order. */
  requested(): readonly string[];
  effects(): number;
  transaction(): Promise<Payload['transaction']>;
};

/** A server with one provider and one payment service of each class. */
export type Classes = {
  readonly harness: Harness;
  readonly providers: Readonly<Record<Manner, ClassProvider>>;
  /** Starts an operation at a provider of a class, whose next request meets the fault. */
  meet(kind: Manner, verb: Verb, fault: (typeof FAULTS)[number]): Promise<Met>;
};

export async function startClasses(): Promise<Classes> {
  const clock = createShiftedClock();
  const providers: Record<Manner, ClassProvider> = {
    keys: createClassProvider('keys', KEYS, clock),
    lookup: createClassProvider('lookup', LOOKUP, clock),
    none: createClassProvider('none', NONE, clock),
    compares: createClassProvider('compares', KEYS, clock, { comparesRequests: true }),
    by_verb: createClassProvider('by-verb', { ...BY_VERB, capture: LOOKUP }, clock),
  };
  const harness = await startHarness('keys-card', {
    clock,
    connectors: Object.values(providers).map(({ connector }) => connector),
    settings: { PAYGRAPH_PROVIDER_DEADLINE_MS: String(DEADLINE_MS) },
  });
  const create = (definitionId: string) =>
    createService(harness.server, harness.provider.url, { definitionId });
  const services: Record<Manner, string> = {
    keys: await create('keys-card'),
    lookup: await create('lookup-card'),
    none: await create('none-card'),
    compares: await create('compares-card'),
    by_verb: await create('by-verb-card'),
  };
  const meet: Classes['meet'] = async (kind, verb, fault) => {
    const provider = providers[kind];
    const input = { amount: 1000, paymentServiceId: services[kind] };
    const id =
      verb === 'authorize' ? null : await made(harness, verb === 'refund' ? 'CAPTURE' : 'AUTHORIZE', input);
    provider.failNext(fault);
    const payload = id === null ? await harness.create(input) : await perform(harness, verb, id);
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
  };
  return { harness, providers, meet };
}

async function made(
  harness: Harness,
  intent: 'AUTHORIZE' | 'CAPTURE',
  input: Record<string, unknown>,
): Promise<string> {
  const { transaction } = await harness.create({ intent, ...input });
  return transaction?.id ?? '';
}

function perform(harness: Harness, verb: Verb, id: string): Promise<Payload> {
  if (verb === 'capture') return harness.capture(id, { amount: 900 });
  return verb === 'refund' ? harness.refund(id, { amount: 800 }) : harness.void(id);
}
