import type { DisputeQuestion, DisputeReply } from '../../src/connectors/sandbox/dispute-responses.ts';
import type { GiftCardRequest } from '../../src/connectors/sandbox/simulator/gift-card-simulator.ts';
import type { BooksAnswer, BooksQuestion } from '../../src/connectors/sandbox/read-books.ts';
import { simulateSession, type SessionQuestion } from '../../src/connectors/sandbox/sessions.ts';
import type { SimulatorRequest } from '../../src/connectors/sandbox/simulator/simulator.ts';
import type { HttpClient } from '../../src/platform/http/http-client.ts';
import { decide, openBooks, serve, type Books } from './books.ts';
import { tellBooks } from './elsewhere/tell-books.ts';
import { serveGiftCards } from './gift-books.ts';
import { deskAt, type Place } from './harness.ts';
import { arriving, travel, type Receiver } from './network.ts';
import { advanceTo, type Stage } from './stage.ts';
import type { Owed } from './real/double.ts';
import { openRealProviders, type RealProviders } from './real/providers.ts';
import { askThirdParty, THIRD_PARTY } from './third-party.ts';

/** The providers in memory, and the network before them. */
export type Provider = {
  /** The books of the sandbox's providers. */
  readonly books: Books;
  /** Returns the books of all providers. */
  readonly written: () => Books;
  /** The arrived requests, including repeats and look-ups. */
  readonly arrived: { count: number };
  readonly send: HttpClient['send'];
  /** Moves money by hand at a real provider. */
  readonly byHand: RealProviders['byHand'];
  /** Takes buyers' decisions at the pages of real providers. */
  readonly decideAtPage: RealProviders['decideAtPage'];
};

/** The parts of the providers that send webhooks. */
export type Hooks = {
  /** Called after each decision of an entry. */
  readonly decided: Books['decided'];
  /** Answers a merchant's response to a dispute. */
  readonly responded: (question: DisputeQuestion) => DisputeReply;
  /** Sends a webhook of a real provider to the payment service with this address. */
  readonly owed: (address: string, webhook: Owed) => void;
};

const NO_HOOKS: Hooks = {
  decided: () => undefined,
  responded: () => ({ result: 'refused', code: 'no_such_dispute' }),
  owed: () => undefined,
};

type Request = SimulatorRequest | GiftCardRequest | SessionQuestion | DisputeQuestion;

/** An answer in the provider's words. The amount is present only when money was moved. */
type Reply = { readonly result: string; readonly amount?: number };

export function createProvider(stage: Stage, hooks: Hooks = NO_HOOKS): Provider {
  const books = openBooks(hooks.decided);
  const arrived = { count: 0 };
  const reals = openRealProviders(stage, { arrived: () => (arrived.count += 1), owed: hooks.owed });
  const send: HttpClient['send'] = async (sent) => {
    const { url, body, deadlineMs } = sent;
    if (url.startsWith(THIRD_PARTY)) {
      arrived.count += 1;
      return askThirdParty(stage, books.checks, sent);
    }
    if (reals.knows(url)) return reals.send(sent);
    const { place, isOfGiftCards } = deskAt(url);
    // The body from the sandbox connector. A separate test covers its format.
    const request = JSON.parse(String(body)) as Request | BooksQuestion;
    if (request.operation === 'books') return askForBooks(stage, books, place, { request, deadlineMs });
    const work = (): Reply => {
      arrived.count += 1;
      if (isResponse(request)) return hooks.responded(request);
      if (request.operation === 'session') return { ...simulateSession(request), result: 'opened' };
      return isOfGiftCards
        ? serveGiftCards({ stage, entries: books.giftCards, place }, request as GiftCardRequest)
        : serve({ stage, books, place, address: url }, request as SimulatorRequest);
    };
    const { operation: verb, idempotency_key: key } = request;
    return await travel({
      ...{
        stage,
        verb,
        key,
        deadlineMs,
        arrive: arriving({ ...WORDS, stage, work }),
        faults: 'provider faults',
      },
      chance: stage.weather.fault[chanceOf(verb)] * (isResponse(request) ? 2 : 1),
      // The network duplicates requests only to a provider that remembers keys.
      mayRepeat: place === 'keys',
      isQuestion: verb === 'status' || verb === 'balance' || verb === 'session',
    });
  };
  const written = (): Books => ({ ...books, entries: [...books.entries, ...reals.entries()] });
  return { books, written, arrived, send, decideAtPage: reals.decideAtPage, byHand: reals.byHand };
}

type Asking = { readonly request: BooksQuestion; readonly deadlineMs: number };

/** Carries a question for the books of a payment over the network, with the faults of a look-up. */
const askForBooks = (stage: Stage, books: Books, place: Place, { request, deadlineMs }: Asking) =>
  travel({
    ...{ stage, verb: request.operation, key: undefined, deadlineMs, faults: 'provider faults' },
    ...{ chance: stage.weather.fault.status, mayRepeat: false, isQuestion: true },
    arrive: arriving<BooksAnswer>({
      stage,
      work: () => tellBooks(books, place, request),
      other: (told) => ({ ...told, result: 'perhaps' }),
      unpromised: (told) => ({ ...told, result: 'perhaps' }),
    }),
  });

const isResponse = (request: Request): request is DisputeQuestion =>
  request.operation === 'accept_dispute' || request.operation === 'submit_evidence';

/** A response to a dispute has the faults of a refund, twice as often. A balance and a session have the faults of a look-up. A buyer's return has those of an authorisation. */
const chanceOf = (verb: Request['operation']) => {
  if (verb === 'resume') return 'authorize';
  if (verb === 'accept_dispute' || verb === 'submit_evidence') return 'refund';
  return verb === 'balance' || verb === 'session' ? 'status' : verb;
};

const WORDS: Pick<Receiver<Reply>, 'other' | 'unpromised'> = {
  other: (reported) => ({ ...reported, result: 'approved', amount: (reported.amount ?? 0) + 1 }),
  unpromised: (reported) => ({ ...reported, result: 'perhaps' }),
};

/** Delivers all late requests and decides all pending operations. */
export function deliverLate(stage: Stage, books: Books): void {
  advanceTo(stage, Math.max(stage.now, ...stage.later.map(({ at }) => at)));
  decide(stage, books, Infinity);
}
