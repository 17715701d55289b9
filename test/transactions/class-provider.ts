import type { Connector, Recovery } from '../../src/connectors/connector.ts';
import type { Verb } from '../../src/connectors/requests.ts';
import type { Definition } from '../../src/connectors/definition.ts';
import type { Outcome } from '../../src/connectors/outcome.ts';
import { sandboxDefinitions } from '../../src/connectors/sandbox/definitions.ts';
import type { Clock } from '../../src/platform/clock.ts';

/**
 * What goes wrong with the next request. It is lost before the work, or the answer after it; the answer is a server error
 * after the work, or nonsense; the work is done and the answer never comes; or the request is on its way until `arrive`.
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

/** The faults after which the provider has not done the work, or not yet. */
export const isUndone = (fault: Fault): boolean => fault === 'lose_request' || fault === 'late';

/** A request, whether it arrived or got lost, or a look-up. */
type Asked = { readonly what: Verb | 'lookup'; readonly key: string };

export type State = 'working' | 'away' | 'silent';

/** A refusal that is answered instead of a yes. Of one that is not kept, it knows nothing when it is asked. */
type Refusal = {
  readonly kind: 'declined' | 'failed';
  readonly errorCode: string;
  readonly isKept?: boolean;
};

/** A provider in memory that can be recovered from in one way only. Its books say what was really done. */
export type ClassProvider = {
  readonly connector: Connector;
  /** What its payment services are configured as. */
  readonly definitionId: string;
  /** Everything that was sent to it, in order, also what got lost. */
  readonly asked: readonly Asked[];
  /** How often the work of a key was done. */
  effectsOf(key: string): number;
  /** The next requests go wrong like this, one each; look-ups do not. */
  failNext(...faults: readonly Fault[]): void;
  /** The next requests that arrive are refused like this, one each. */
  refuseNext(...refusals: readonly Refusal[]): void;
  /** From now on nothing reaches it, look-ups included: it is away, or does not even say so; or it works again. */
  turn(state: State): void;
  /** What is on its way arrives. */
  arrive(): void;
  /** What happens at the end of the next look-up, when it was found out what there is and before that is answered. */
  atNextLook(happen: () => void | Promise<void>): void;
};

/** Keys: a repeat is recognised within the window. Otherwise each request that arrives is new work. */
export function createClassProvider(
  id: string,
  recovery: Recovery,
  clock: Clock,
  method = 'card',
): ClassProvider {
  const asked: Asked[] = [];
  const effects: string[] = [];
  const faults: Fault[] = [];
  const refusals: Refusal[] = [];
  const said = new Map<string, { readonly outcome: Outcome; readonly at: number }>();
  let onTheWay: (() => void)[] = [];
  let afterLook: (() => void | Promise<void>) | null = null;
  let state: State = 'working';

  const perform = (key: string, money: { readonly amount: number; readonly currency: string }): Outcome => {
    const known = said.get(key);
    const now = clock.now().getTime();
    if (known && recovery.kind === 'keys' && now - known.at < recovery.windowMs) return known.outcome;
    const refusal = refusals.shift();
    if (!refusal) effects.push(key);
    const outcome: Outcome = refusal
      ? { kind: refusal.kind, errorCode: refusal.errorCode, reference: null, ...WORDS }
      : { kind: 'succeeded', reference: `ref_${key}`, money, ...WORDS };
    if (refusal?.isKept !== false) said.set(key, { outcome, at: now });
    return outcome;
  };

  const receive = async (
    what: Verb,
    request: { readonly key: string; readonly money: { readonly amount: number; readonly currency: string } },
  ): Promise<Outcome> => {
    const { key, money } = request;
    asked.push({ what, key });
    if (state === 'silent') return NEVER;
    const fault = state === 'away' ? 'lose_request' : faults.shift();
    if (fault === 'late') onTheWay.push(() => void perform(key, money));
    if (fault && isUndone(fault)) return { kind: 'unknown', cause: 'connection' };
    const outcome = perform(key, money);
    if (fault === 'nonsense') throw new Error('This is no answer.');
    if (fault === 'hang') return NEVER;
    if (fault) return { kind: 'unknown', cause: fault === 'lose_answer' ? 'connection' : 'server_error' };
    return outcome;
  };

  const connector: Connector = {
    id,
    definitions: [{ ...definitionOf(id), method }],
    recovery,
    authorize: (_, request) => receive('authorize', request),
    capture: (_, request) => receive('capture', request),
    refund: (_, request) => receive('refund', request),
    void: (_, request) => receive('void', request),
    cancel: (_, request) => receive('cancel', request),
    lookup: async (_, { key }) => {
      asked.push({ what: 'lookup', key });
      if (recovery.kind === 'none') throw new Error('It cannot be asked.');
      if (state === 'silent') return NEVER;
      if (state === 'away') return { kind: 'unknown', cause: 'connection' };
      const found = said.get(key)?.outcome ?? null;
      const happen = afterLook;
      afterLook = null;
      await happen?.();
      return found;
    },
  };
  return {
    connector,
    definitionId: `${id}-card`,
    asked,
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
    atNextLook: (happen) => {
      afterLook = happen;
    },
  };
}

/** The answer of somebody who does not answer. */
const NEVER = new Promise<never>(() => undefined);

const WORDS = { rawResponseCode: null, rawResponseDescription: null } as const;

/** Like the sandbox's acquirer, which can do everything. */
function definitionOf(id: string): Definition {
  const acquirer = sandboxDefinitions.find((definition) => definition.id === 'mock-acquirer');
  if (!acquirer) throw new Error('The sandbox has no acquirer');
  return { ...acquirer, id: `${id}-card`, displayName: id };
}
