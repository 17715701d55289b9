import { createFaults, type AccountFault, type Faults, type FaultTarget } from '../double-faults.ts';
import {
  listenOn,
  MAINTENANCE,
  postWebhooks,
  type DoubleAnswer,
  type DoubleEvent,
  type DoubleRequest,
  type DoubleResponse,
  type DoubleServer,
} from '../double-server.ts';
import { passTime, type Timed } from './agenda.ts';

/** The parts that all doubles of an account have: the requests, their faults, and the webhooks that are owed. */
export type Account = Pick<Faults<AccountFault>, 'failNext' | 'behave' | 'release'> & {
  /** Every request that arrived, with its fault. */
  readonly requests: readonly (DoubleRequest & { readonly fault: AccountFault | null })[];
  handle(request: DoubleRequest): Promise<DoubleAnswer>;
  /** Serves the double on 127.0.0.1. The pages for buyers are then at the same address. */
  listen(): Promise<DoubleServer>;
  /** Takes the webhooks that the double owes, signed now. */
  webhooks(): readonly DoubleEvent[];
  /** Posts the owed webhooks, or these. Returns the statuses of the answers. */
  postTo(url: string, webhooks?: readonly DoubleEvent[]): Promise<readonly number[]>;
};

/** An account's objects, with the events that are owed. `pages`: the start of the addresses of the pages for buyers. */
type World<Event> = Timed & { pages: string; readonly owed: Event[] };

/** The provider's own part of an account. */
type Provider<Event> = {
  /** The calls of a fault for which a test names none. All calls by default. */
  readonly usual?: FaultTarget;
  /** Answers what needs no access, such as the pages for buyers. Null for all other requests. */
  serveOpenly(request: DoubleRequest): DoubleAnswer;
  answer(
    request: DoubleRequest,
    fault: AccountFault | null,
    faults: Faults<AccountFault>,
  ): Promise<DoubleAnswer>;
  sign(event: Event): DoubleEvent;
};

export function openAccount<Event>(world: World<Event>, provider: Provider<Event>): Account {
  const faults = createFaults<AccountFault>(provider.usual);
  const requests: (DoubleRequest & { readonly fault: AccountFault | null })[] = [];
  const webhooks = (): readonly DoubleEvent[] => {
    passTime(world);
    return world.owed.splice(0).map((event) => provider.sign(event));
  };
  const handle = (request: DoubleRequest): Promise<DoubleAnswer> => {
    passTime(world);
    const open = provider.serveOpenly(request);
    if (open) return Promise.resolve(open);
    const fault = faults.take(request);
    requests.push({ ...request, fault });
    return provider.answer(request, fault, faults);
  };
  return {
    ...{ requests, handle, webhooks },
    ...{ failNext: faults.failNext, behave: faults.behave, release: faults.release },
    listen: async () => {
      const listening = await listenOn({ serve: handle });
      world.pages = listening.url;
      return listening;
    },
    postTo: (url, given) => postWebhooks(url, given ?? webhooks()),
  };
}

/** Answers with a fault that happens before the provider reads a request. Undefined if the provider works. */
export function refusedEarly(
  fault: AccountFault | null,
  words: Readonly<Partial<Record<AccountFault, () => DoubleResponse>>>,
): DoubleAnswer | undefined {
  if (fault === 'lose_request') return null;
  if (fault === 'maintenance') return MAINTENANCE;
  if (fault !== 'rate_limited_with_hint') return fault === null ? undefined : words[fault]?.();
  const limited = words.rate_limited?.();
  return limited && { ...limited, headers: { ...limited.headers, 'retry-after': '2' } };
}

/** The faults that change an answer. */
export type Spoiling = 'unknown_word' | 'other_currency' | 'other_amount';

const isSpoiling = (fault: AccountFault | null): fault is Spoiling =>
  fault === 'unknown_word' || fault === 'other_currency' || fault === 'other_amount';

/** Sends an answer on its way, on which a fault may lose or spoil it. */
export function onItsWay(
  answer: DoubleResponse,
  fault: AccountFault | null,
  spoil: (fault: Spoiling, body: string) => string,
): DoubleAnswer {
  if (fault === 'lose_answer') return null;
  const { body } = answer;
  if (fault === 'truncated') return { ...answer, body: body.slice(0, Math.floor(body.length / 2)) };
  return isSpoiling(fault) ? { ...answer, body: spoil(fault, body) } : answer;
}

/** Shows the page on which a buyer decides. With a decision in its address, sends the buyer back. */
export function showPage<Decision extends string>(
  url: URL,
  decisions: readonly Decision[],
  decide: (decision: Decision) => string | null,
): DoubleResponse {
  const html = (body: string) => ({ status: 200, headers: { 'content-type': 'text/html' }, body });
  const decision = decisions.find((each) => each === url.searchParams.get('decision'));
  if (decision === undefined) {
    const linkTo = (to: Decision): string =>
      `<a href="${url.search.replaceAll('&', '&amp;') || '?'}&amp;decision=${to}">${to}</a>`;
    return html(`<html><body>${decisions.map(linkTo).join(' ')}</body></html>`);
  }
  const location = decide(decision);
  return location === null ? html('Done.') : { status: 302, headers: { location }, body: '' };
}

/** Returns the name of the call that a request is for, with the id of its path. Null for an unknown address. */
export function findCall(
  calls: Readonly<Record<string, unknown>>,
  method: string,
  path: string,
): { readonly name: string; readonly id: string } | null {
  const exact = `${method} ${path}`;
  if (calls[exact]) return { name: exact, id: '' };
  const names = Object.keys(calls).filter((each) => each.includes('{id}'));
  for (const name of names) {
    const [start = '', end = ''] = name.split('{id}');
    const id =
      exact.startsWith(start) && exact.endsWith(end)
        ? exact.slice(start.length, -end.length || undefined)
        : '';
    if (/^[^/]+$/.test(id)) return { name, id: decodeURIComponent(id) };
  }
  return null;
}

/** Returns an object that a test names. */
export function known<Value>(objects: ReadonlyMap<string, Value>, id: string): Value {
  const value = objects.get(id);
  if (value === undefined) throw new Error(`The double has no object ${id}.`);
  return value;
}
