import type { GiftCardRequest } from '../../src/connectors/sandbox/gift-card-simulator.ts';
import type { SimulatorRequest } from '../../src/connectors/sandbox/simulator.ts';
import type { HttpClient } from '../../src/platform/http-client.ts';
import { decide, openBooks, serve, type Books } from './books.ts';
import { serveGiftCards } from './gift-books.ts';
import { deskAt } from './harness.ts';
import { travel, type Journey } from './network.ts';
import { advanceTo, type Stage } from './stage.ts';
import { askThirdParty, THIRD_PARTY } from './third-party.ts';

/** The providers in memory, and the network before them. */
export type Provider = {
  readonly books: Books;
  /** The arrived requests, including repeats and look-ups. */
  readonly arrived: { count: number };
  readonly send: HttpClient['send'];
};

type Request = SimulatorRequest | GiftCardRequest;

/** An answer in the provider's words. The amount is present only when money was moved. */
type Reply = { readonly result: string; readonly amount?: number };

export function createProvider(stage: Stage): Provider {
  const books = openBooks();
  const arrived = { count: 0 };
  const send: HttpClient['send'] = async (sent) => {
    const { url, body, deadlineMs } = sent;
    if (url.startsWith(THIRD_PARTY)) {
      arrived.count += 1;
      return askThirdParty(stage, books.checks, sent);
    }
    const { place, isOfGiftCards } = deskAt(url);
    // The body from the sandbox connector. A separate test covers its format.
    const request = JSON.parse(body ?? '') as Request;
    const arrive = (): Reply => {
      arrived.count += 1;
      return isOfGiftCards
        ? serveGiftCards({ stage, entries: books.giftCards, place }, request as GiftCardRequest)
        : serve({ stage, books, place, address: url }, request as SimulatorRequest);
    };
    const { operation: verb, idempotency_key: key } = request;
    return await travel({
      ...{ ...WORDS, stage, verb, key, deadlineMs, arrive },
      chance: stage.weather.fault[chanceOf(verb)],
      // The network duplicates requests only to a provider that remembers keys.
      mayRepeat: place === 'keys',
      isQuestion: verb === 'status' || verb === 'balance',
    });
  };
  return { books, arrived, send };
}

/** A balance has the faults of a look-up. A buyer's return has those of an authorisation. */
const chanceOf = (verb: Request['operation']) => {
  if (verb === 'resume') return 'authorize';
  return verb === 'balance' ? 'status' : verb;
};

const WORDS: Pick<Journey<Reply>, 'other' | 'unpromised' | 'faults'> = {
  other: (reported) => ({ ...reported, result: 'approved', amount: (reported.amount ?? 0) + 1 }),
  unpromised: (reported) => ({ ...reported, result: 'perhaps' }),
  faults: 'provider faults',
};

/** Delivers all late requests and decides all pending operations. */
export function deliverLate(stage: Stage, books: Books): void {
  advanceTo(stage, Math.max(stage.now, ...stage.later.map(({ at }) => at)));
  decide(stage, books, Infinity);
}
