import type { DeclineCode } from '../../src/connectors/codes/decline-codes.ts';
import { recoveryOf, type Connector } from '../../src/connectors/interface/connector.ts';
import type { Card, Verb } from '../../src/connectors/interface/requests.ts';
import type { Definition } from '../../src/connectors/interface/definition.ts';
import type { Outcome } from '../../src/connectors/interface/outcome.ts';
import { sandboxDefinitions } from '../../src/connectors/sandbox/definitions.ts';
import type { Money } from '../../src/kernel/money.ts';
import type { Clock } from '../../src/platform/clock.ts';

/**
 * The fault of the next request:
 *
 * - The request is lost before the work, or the answer after the work.
 * - The answer is a server error after the work, nonsense, or missing for ever.
 * - The request is delayed until `arrive`.
 */
export type Fault = 'lose_request' | 'lose_answer' | 'error_after_work' | 'nonsense' | 'hang' | 'late';

export const FAULTS = [
  'lose_request',
  'lose_answer',
  'error_after_work',
  'nonsense',
  'hang',
  'late',
] as const satisfies readonly Fault[];

/** Tells whether the provider has not done the work at the time of this fault. */
export const isUndone = (fault: Fault): boolean => fault === 'lose_request' || fault === 'late';

/** A request, arrived or lost, or a look-up. */
type Requested = { readonly what: Verb | 'lookup'; readonly key: string };

/** The parts of a request that the provider reads. */
type Received = {
  readonly key: string;
  readonly money: Money;
  readonly card?: Pick<Card, 'securityCode'> | null;
};

export type State = 'working' | 'away' | 'silent';

/** A refusal instead of an approval. A look-up finds only a refusal that the provider keeps. */
type Refusal = {
  readonly kind: 'declined' | 'failed';
  readonly errorCode: DeclineCode;
  readonly isKept?: boolean;
};

/** A provider in memory with only one way of recovery. Its books record the real effects. */
export type ClassProvider = {
  readonly connector: Connector;
  /** The definition of its payment services. */
  readonly definitionId: string;
  /** Every request in order, including the lost ones. */
  readonly requested: readonly Requested[];
  /** Counts the effects of a key. */
  effectsOf(key: string): number;
  /** Sets the faults of the next requests, one each. Look-ups are not affected. */
  failNext(...faults: readonly Fault[]): void;
  /** Refuses the next requests that arrive, one refusal each. */
  refuseNext(...refusals: readonly Refusal[]): void;
  /** Sets the state of the connection, also for look-ups: refused, silent or working. */
  turn(state: State): void;
  /** Delivers the delayed requests. */
  arrive(): void;
  /** Runs a callback after the next look-up has read the books and before its answer. */
  atNextLook(happen: () => void | Promise<void>): void;
  /** Finds nothing at the next look-up, as an index that lags behind. */
  forgetNextLook(): void;
};

type Options = {
  readonly method?: string;
  /** True if a repeat with another security code, or after an own error, gets no result. */
  readonly comparesRequests?: boolean;
  /** The definition's time limit of a call. */
  readonly deadlineMs?: number;
};

/**
 * Creates a provider of one recovery class. With `keys` the provider recognises a repeat within the window. Otherwise
 * each request that arrives is new work.
 */
export function createClassProvider(
  id: string,
  recovery: Connector['recovery'],
  clock: Clock,
  { method = 'card', comparesRequests = false, deadlineMs = 10_000 }: Options = {},
): ClassProvider {
  const requested: Requested[] = [];
  const effects: string[] = [];
  const faults: Fault[] = [];
  const first = new Map<string, { readonly securityCode: string | null; readonly hasFailed: boolean }>();
  const refusals: Refusal[] = [];
  const reported = new Map<string, { readonly outcome: Outcome; readonly at: number }>();
  let onTheWay: (() => void)[] = [];
  let afterLook: (() => void | Promise<void>) | null = null;
  let state: State = 'working';
  let forgets = false;

  const perform = (what: Verb, { key, money }: Received): Outcome => {
    const known = reported.get(key);
    const now = clock.now().getTime();
    const by = recoveryOf({ recovery }, what);
    if (known && by.kind === 'keys' && now - known.at < by.windowMs) return known.outcome;
    const refusal = refusals.shift();
    if (!refusal) effects.push(key);
    const outcome: Outcome = refusal
      ? { kind: refusal.kind, errorCode: refusal.errorCode, reference: null, ...WORDS }
      : { kind: 'succeeded', reference: `ref_${key}`, money, ...WORDS };
    if (refusal?.isKept !== false) reported.set(key, { outcome, at: now });
    return outcome;
  };

  const receive = async (what: Verb, request: Received): Promise<Outcome> => {
    const { key } = request;
    requested.push({ what, key });
    if (state === 'silent') return NEVER;
    const fault = state === 'away' ? 'lose_request' : faults.shift();
    if (fault === 'late') onTheWay.push(() => void perform(what, request));
    if (fault && isUndone(fault)) return { kind: 'unknown', cause: 'connection' };
    const earlier = comparesRequests ? first.get(key) : undefined;
    const securityCode = request.card?.securityCode ?? null;
    if (earlier && (earlier.hasFailed || earlier.securityCode !== securityCode))
      return { kind: 'unknown', cause: 'server_error', arrived: true };
    first.set(key, { securityCode, hasFailed: fault === 'error_after_work' });
    const outcome = perform(what, request);
    if (fault === 'nonsense') throw new Error('This is no answer.');
    if (fault === 'hang') return NEVER;
    if (fault) return { kind: 'unknown', cause: fault === 'lose_answer' ? 'connection' : 'server_error' };
    return outcome;
  };

  const connector: Connector = {
    id,
    definitions: [{ ...definitionOf(id), method, deadlineMs }],
    recovery,
    authorize: (_, request) => receive('authorize', request),
    capture: (_, request) => receive('capture', request),
    refund: (_, request) => receive('refund', request),
    void: (_, request) => receive('void', request),
    cancel: (_, request) => receive('cancel', request),
    lookup: async (_, { key }) => {
      requested.push({ what: 'lookup', key });
      if ('kind' in recovery && recovery.kind === 'none') throw new Error('It cannot be asked.');
      if (state === 'silent') return NEVER;
      if (state === 'away') return { kind: 'unknown', cause: 'connection' };
      const found = forgets ? null : (reported.get(key)?.outcome ?? null);
      forgets = false;
      const happen = afterLook;
      afterLook = null;
      await happen?.();
      return found;
    },
  };
  return {
    connector,
    definitionId: `${id}-card`,
    requested,
    effectsOf: (key) => effects.filter((each) => each === key).length,
    failNext: (...given) => void faults.push(...given),
    refuseNext: (...given) => void refusals.push(...given),
    turn: (next) => {
      state = next;
    },
    arrive: () => {
      onTheWay.forEach((each) => each());
      onTheWay = [];
    },
    forgetNextLook: () => {
      forgets = true;
    },
    atNextLook: (happen) => {
      afterLook = happen;
    },
  };
}

/** An answer that never comes. */
const NEVER = new Promise<never>(() => undefined);

const WORDS = { rawResponseCode: null, rawResponseDescription: null } as const;

/** Defines a provider with all features, like the sandbox's acquirer. */
function definitionOf(id: string): Definition {
  const acquirer = sandboxDefinitions.find((definition) => definition.id === 'mock-acquirer');
  if (!acquirer) throw new Error('The sandbox has no acquirer');
  return { ...acquirer, id: `${id}-card`, displayName: id };
}
