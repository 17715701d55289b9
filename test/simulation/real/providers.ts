import type { HttpClient } from '../../../src/platform/http/http-client.ts';
import type { DoubleRequest, DoubleResponse } from '../../connectors/double-server.ts';
import type { Entry } from '../books.ts';
import { addressOf, JUDGED, MERCHANTS, type RealPlace } from '../harness.ts';
import { reply, travel, type Answer, type Spoilt } from '../network.ts';
import { note, type Stage } from '../stage.ts';
import { count } from '../tally.ts';
import { openAdyen } from './adyen.ts';
import { openBraintree } from './braintree.ts';
import { currentCall, verbOf, type ConnectorCall } from './calls.ts';
import { openCheckout } from './checkout.ts';
import { accountOf } from './connectors.ts';
import type { Effect, Handled, Owed, RealDouble, RealFault } from './double.ts';
import { openMollie } from './mollie.ts';
import { openPayPal } from './paypal.ts';
import { openStripe } from './stripe.ts';

/** The doubles of real providers in a history, and the network before them. */
export type RealProviders = {
  /** True for an address at a real provider. */
  readonly knows: (url: string) => boolean;
  readonly send: HttpClient['send'];
  /** Takes a buyer's decision at the page of a provider. Returns the parameters of the return, or null. */
  readonly decideAtPage: NonNullable<RealDouble['decideAtPage']>;
  /** Moves money by hand at a provider. With `isLost` no webhook tells, unless the provider tells nothing else. */
  readonly byHand: (place: RealPlace, handled: Handled, isLost: boolean) => boolean;
  /** Returns the effects at the providers as entries of books, and the requests without an effect. */
  readonly entries: () => readonly Entry[];
};

/** A request that a double received, with the call of the connector that sent it. */
type Arrival = { readonly call: ConnectorCall; readonly at: number; readonly after: number };

/** The account of a merchant at a double. */
type Desk = {
  readonly place: RealPlace;
  readonly address: string;
  readonly double: RealDouble;
  /** The first arrival of each key. */
  readonly arrivals: Map<string, Arrival>;
};

export type RealHooks = {
  /** Called after each request that arrived. */
  readonly arrived: () => void;
  /** Receives each webhook that a double owes, with the address of its payment service. */
  readonly owed: (address: string, webhook: Owed) => void;
};

const OPEN = {
  ...{ stripe: openStripe, adyen: openAdyen, paypal: openPayPal, mollie: openMollie },
  ...{ checkout: openCheckout, braintree: openBraintree },
} as const;

const HOSTS: Readonly<Record<string, RealPlace>> = {
  'api.stripe.com': 'stripe',
  'checkout-test.adyen.com': 'adyen',
  'api-m.sandbox.paypal.com': 'paypal',
  'api.sandbox.paypal.com': 'paypal',
  'api.mollie.com': 'mollie',
  'api.sandbox.checkout.com': 'checkout',
  'payments.sandbox.braintree-api.com': 'braintree',
};

const placeAt = (url: string): RealPlace | undefined => HOSTS[new URL(url).hostname];

export function openRealProviders(stage: Stage, hooks: RealHooks): RealProviders {
  const desks = new Map<string, Desk>();
  /** Opens the desk of each merchant that a provider knows. */
  const desksOf = (place: RealPlace): readonly Desk[] =>
    MERCHANTS.slice(0, JUDGED).map(({ id }, merchant) => {
      const address = `${addressOf(`real-${place}`)}${id}/real-${place}`;
      const known = desks.get(address);
      if (known) return known;
      const opened = { place, address, double: OPEN[place](stage, accountOf(merchant)), arrivals: new Map() };
      desks.set(address, opened);
      return opened;
    });
  const deskOf = (place: RealPlace, request: DoubleRequest): Desk => {
    const desk = desksOf(place).find(({ double }) => double.isFor(request));
    if (!desk) throw new Error(`No account at ${place} sends ${request.method} ${request.path}`);
    return desk;
  };

  const send: HttpClient['send'] = ({ url, method, headers, body = '', repeatable = false }) => {
    const place = placeAt(url) ?? 'stripe';
    const { pathname, search } = new URL(url);
    const request = { method, path: `${pathname}${search}`, headers, body: String(body) };
    const desk = deskOf(place, request);
    const call = currentCall();
    const verb = call?.verb ?? 'status';
    return travel({
      ...{ stage, verb, key: call?.key, deadlineMs: DEADLINE_MS, faults: `${place} faults` },
      chance: stage.weather.fault[verb],
      mayRepeat: repeatable,
      isQuestion: isQuestion(desk, request),
      arrive: (spoilt) => arrive(desk, { request, call, spoilt }),
    });
  };

  const arrive = async (desk: Desk, { request, call, spoilt }: Arriving): Promise<Answer> => {
    const { place, double, arrivals } = desk;
    const { random } = stage;
    hooks.arrived();
    const isWork = double.isWork?.(request) ?? true;
    const verb = verbOf(call, isQuestion(desk, request));
    if (isWork && call && verb !== 'status' && !arrivals.has(call.key)) {
      arrivals.set(call.key, { call: { ...call, verb }, at: stage.now, after: stage.commits.length });
      count(stage.tally, 'asked of real providers', `${place} ${verb}`);
      if (random.chance(stage.weather.refuse[verb])) double.refuse?.(verb);
    }
    const fault = spoilt && random.pick(FAULTS[call ? spoilt : unlessLie(spoilt)]);
    const served = double.serve(request, call, fault);
    if (!isQuestion(desk, request))
      stage.later.push({ at: stage.now + random.pick(DECIDED_AFTER_MS), run: () => tell(desk) });
    const answered = await served;
    if (!answered) throw new Error(`The double of ${place} lost an answer by itself`);
    return spoilt === 'nonsense after the work' && random.chance(0.3)
      ? reply(200, random.pick(['', '<html>Bad gateway</html>']))
      : answerOf(answered);
  };

  const tell = ({ address, double }: Desk): void => {
    for (const webhook of double.owed()) hooks.owed(address, webhook);
  };

  return {
    knows: (url) => placeAt(url) !== undefined,
    send,
    decideAtPage: (token, reported) => {
      for (const desk of desks.values()) {
        const returned = desk.double.decideAtPage?.(token, reported);
        if (!returned) continue;
        note(stage, desk.place, `sees the buyer: ${reported}`);
        stage.later.push({ at: stage.now, run: () => tell(desk) });
        return returned;
      }
      return null;
    },
    byHand: (place, handled, isLost) => {
      const desk = stage.random.pick(desksOf(place));
      tell(desk);
      if (!desk.double.byHand(handled)) return false;
      // Adyen tells no payment as a whole, so its webhooks are the only news.
      const isTold = !isLost || place === 'adyen';
      if (isTold)
        stage.later.push({ at: stage.now + stage.random.pick(DECIDED_AFTER_MS), run: () => tell(desk) });
      else desk.double.owed();
      count(stage.tally, 'made by hand', `${handled.what} at ${place}${isTold ? '' : ', lost'}`);
      note(stage, place, `by hand: ${handled.what}${isTold ? '' : ', and its webhooks are lost'}`);
      return true;
    },
    entries: () => [...desks.values()].flatMap(entriesOf),
  };
}

const isQuestion = ({ double }: Desk, request: DoubleRequest): boolean =>
  double.isQuestion?.(request) ?? request.method === 'GET';

type Arriving = {
  readonly request: DoubleRequest;
  readonly call: ConnectorCall | null;
  readonly spoilt: Spoilt | null;
};

const answerOf = ({ status, body, headers }: DoubleResponse): Answer => reply(status, body, headers);

/** The time that a connector waits for an answer. */
const DEADLINE_MS = 30_000;

const DECIDED_AFTER_MS = [0, 0, 30_000, 300_000, 7_200_000];

const FAULTS: Readonly<Record<Spoilt, readonly RealFault[]>> = {
  '500 after the work': ['error_after_work'],
  '503 without the work': [
    ...(['maintenance', 'maintenance', 'error_before_work', 'error_before_work'] as const),
    ...(['rate_limited', 'rate_limited_with_hint', 'unauthorized', 'forbidden'] as const),
  ],
  'nonsense after the work': ['truncated', 'unknown_word'],
  'approval of other money': ['other_amount', 'other_currency'],
};

/** No request tells what the right money in the books of a provider is. So nobody could notice wrong money there. */
const unlessLie = (spoilt: Spoilt): Spoilt =>
  spoilt === 'approval of other money' ? 'nonsense after the work' : spoilt;

function entriesOf(desk: Desk): readonly Entry[] {
  const effects = desk.double.effects();
  const keys = new Set(effects.map(({ key }) => key));
  const without = [...desk.arrivals.values()].filter(({ call }) => !keys.has(call.key));
  return [
    ...effects.map((effect) => entryOf(desk, effect, desk.arrivals.get(effect.key))),
    ...without.map((arrival) => entryOf(desk, noEffect(arrival), arrival)),
  ];
}

/** A request that moved nothing. */
const noEffect = ({ call: { verb, key } }: Arrival): Effect => ({
  ...{ verb: verb as Effect['verb'], key, id: 'none', paymentId: 'none', amount: null, result: 'declined' },
});

function entryOf({ place, address }: Desk, effect: Effect, arrival: Arrival | undefined): Entry {
  const { verb, key, id, paymentId, result, amount, isSale = false } = effect;
  const { released = false, expired = false, reversed = 0, byHand } = effect;
  const { money, captures = [] } = arrival?.call ?? {};
  const request = {
    ...{ operation: verb, amount: amount ?? money?.amount ?? 0, currency: money?.currency ?? '' },
    ...{ idempotency_key: key, capture: isSale, captures: captures.map(toWire) },
  };
  return {
    ...{
      place,
      address,
      key,
      verb,
      request,
      at: arrival?.at ?? 0,
      after: arrival?.after ?? 0,
      id,
      paymentId,
    },
    ...{ later: null, awaitsBuyer: false, heard: null, resumed: null, result, code: '' },
    ...{ released, expired, reversed, reported: true, ...(byHand && { byHand }) },
    first: { result, id, amount: request.amount, currency: request.currency, code: '', message: '' },
  };
}

const toWire = ({ key, reference, amount }: ConnectorCall['captures'][number]) => ({
  ...{ idempotency_key: key, capture_id: reference, amount },
});
