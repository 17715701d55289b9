import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  simulateSession,
  type SessionAnswer,
  type SessionQuestion,
} from '../../src/connectors/sandbox/sessions.ts';
import {
  simulate,
  type SimulatorReply,
  type SimulatorRequest,
} from '../../src/connectors/sandbox/simulator/simulator.ts';

import type { BooksAnswer, BooksQuestion } from '../../src/connectors/sandbox/read-books.ts';
import type { TokenIssuer } from './token-issuer.ts';
import {
  simulateResponse,
  type DisputeQuestion,
  type DisputeReply,
} from '../../src/connectors/sandbox/dispute-responses.ts';
import { openFakeSettlements, type FakeSettlements } from './fake-settlements.ts';
import type { SettlementQuestion } from '../../src/connectors/sandbox/simulator/settlement-simulator.ts';
import { overdrawn } from './refunded-captures.ts';
import { simulateDispute } from '../../src/connectors/sandbox/simulator/disputes.ts';
import { simulateTakeBack } from '../../src/connectors/sandbox/simulator/take-backs.ts';
import { openOwedWebhooks, signed, type OwedWebhooks } from './owed-webhooks.ts';
import { openPaymentBooks, type FakeHand } from './payment-books.ts';

/**
 * The fault of the next call:
 *
 * - The request is lost before the work, or the reply after it.
 * - The reply is a server error after the work, nonsense, or about other money.
 * - The reply waits until `release` is called.
 * - An inquiry finds the operation undecided or unknown.
 */
export type Fault = (typeof FAULTS)[number];
export const FAULTS = [
  ...(['lose_request', 'lose_answer', 'error_after_work', 'nonsense', 'other_money'] as const),
  ...(['hang', 'still_deciding', 'not_found'] as const),
];

/** Leaves out the faults that only other fakes can make. */
export const ownFaults = (faults: readonly string[]): readonly Fault[] =>
  faults.flatMap((fault) => FAULTS.filter((own) => own === fault));

/**
 * A fake provider: real HTTP, its own books, and faults on demand. By default it is idempotent by key, like a good
 * provider.
 */
export type FakeProvider = {
  readonly url: string;
  /** Every received request, in order. */
  readonly calls: readonly SimulatorRequest[];
  /** The requests of clients' sessions, which are separate. */
  readonly sessionCalls: readonly SessionQuestion[];
  /** The responses to disputes, which are separate. */
  readonly disputeCalls: readonly DisputeQuestion[];
  /** The settlements of the books, which are separate. */
  readonly settlements: FakeSettlements;
  /** The real effects: one entry for each key. */
  readonly books: ReadonlyMap<string, SimulatorReply>;
  /**
   * The payments as `readBooks` finds them, by the provider's id. A test writes them. With `keepsPayments`, the provider tells
   * every other payment from its own books.
   */
  readonly paymentBooks: Map<string, BooksAnswer>;
  /** The acts of a person, which the books of a provider with `keepsPayments` tell. */
  readonly hand: FakeHand;
  /** The webhooks about decisions, which a test delivers. */
  readonly owed: OwedWebhooks;
  /** Decides everything that is pending. */
  finish(): void;
  /** The keys with repeated work, because the provider remembers none: one entry for each repeat. */
  readonly repeats: readonly string[];
  /** The faults of the next calls, one each. */
  failNext(...faults: readonly Fault[]): void;
  /** Declines the next authorisations, one each. A refusal has a code of the provider, and an advice and a response code of the scheme. */
  declineNext(...refusals: readonly Refusal[]): void;
  /** Cancels the remaining faults and refusals. */
  behave(): void;
  /** Lets hanging calls reply. */
  release(): void;
  /**
   * Sends the webhooks about successes that are taken back or disputed by their amounts, signed. Sends each to the address,
   * as often as asked. Returns the statuses of the answers.
   */
  takeBack(webhookUrl: string, secret: string, times?: number): Promise<readonly number[]>;
  /** Books a capture from before the start, in minor units, so that a refund may name its key. */
  hasCaptured(key: string, amount: number): void;
  /** Books that a part of a refund came back, which a test reports by a webhook of its own. */
  hasReversed(key: string, amount: number): void;
  close(): Promise<void>;
};

/** A refusal of an authorisation, in the words of the sandbox. */
export type Refusal = Pick<SimulatorReply, 'code' | 'advice_code' | 'network_response_code'> & {
  /** The default is `declined`. */
  readonly result?: 'declined' | 'error';
};

export type FakeProviderOptions = {
  /** The delay before the work of a request. The default is none. */
  readonly delayMs?: () => number;
  /** Resolves when a request may be worked at, before its delay. The default is at once. */
  readonly mayWork?: () => Promise<void>;
  /**
   * True if the provider replies to a repeat as before. Otherwise the provider works again, and only an inquiry shows
   * the outcome of a key.
   */
  readonly remembersKeys?: boolean;
  /**
   * True if the provider answers a repeat with another body with 422. Its old server error is repeated with the header
   * `Idempotent-Replayed`. Only an inquiry then shows the outcome.
   */
  readonly comparesRequests?: boolean;
  /** True if the provider answers every follow-up with "pending". Only `owed` tells the outcome. */
  readonly receivesOnly?: boolean;
  /** True if the provider refuses a capture, refund or void of a payment that it has not authorised. */
  readonly keepsPayments?: boolean;
  /** The clock by which the provider settles. */
  readonly now?: () => Date;
  /** Issues access tokens, and answers every request without a valid one with 401. */
  readonly tokens?: TokenIssuer;
};

type Question = SimulatorRequest | SessionQuestion | DisputeQuestion | SettlementQuestion | BooksQuestion;
type Reply = SimulatorReply | SessionAnswer | DisputeReply | object;

const isResponse = (request: Question): request is DisputeQuestion =>
  request.operation === 'submit_evidence' || request.operation === 'accept_dispute';

/** True for a request whose repeat must have the same body. */
const hasKey = (request: Question): request is Exclude<Question, SettlementQuestion | BooksQuestion> =>
  !['status', 'resume', 'settlements', 'books'].includes(request.operation);

export async function startFakeProvider({
  delayMs = () => 0,
  mayWork,
  remembersKeys = true,
  comparesRequests = false,
  receivesOnly = false,
  keepsPayments = false,
  now = () => new Date(),
  tokens,
}: FakeProviderOptions = {}): Promise<FakeProvider> {
  const calls: SimulatorRequest[] = [];
  const sessionCalls: SessionQuestion[] = [];
  const disputeCalls: DisputeQuestion[] = [];
  const settlements = openFakeSettlements(now);
  const owed = openOwedWebhooks();
  const paymentBooks = new Map<string, BooksAnswer>();
  const books = new Map<string, SimulatorReply>();
  const repeats: string[] = [];
  const faults: Fault[] = [];
  const refusals: Refusal[] = [];
  const first = new Map<string, { readonly body: string; readonly failed: boolean }>();
  const takenBack: object[] = [];
  const requests = new Map<string, SimulatorRequest>();
  const [earlier, reversed] = [new Map<string, number>(), new Map<string, number>()];
  const payments = openPaymentBooks({ requests, replies: books }, (event) => owed.tells(event));
  let waiting: (() => void)[] = [];

  const perform = (request: Question): Reply => {
    if (request.operation === 'session') return simulateSession(request);
    if (isResponse(request)) return simulateResponse(request);
    if (request.operation === 'settlements') return settlements.answer(request);
    if (request.operation === 'books') return payments.tell(request);
    const known = books.get(request.idempotency_key);
    if (request.operation === 'status') return statusOf(request, known);
    if (request.operation === 'resume') return resume(request, known);
    if (known && remembersKeys) return shown(request, known);
    if (known) repeats.push(request.idempotency_key);
    if (!requests.has(request.idempotency_key)) requests.set(request.idempotency_key, request);
    const reply =
      refuseUnpaid(request) ?? refuseOverdrawn(request) ?? refusedNext(request) ?? simulate(request);
    remember(request, reply);
    if (request.operation === 'cancel' && reply.result === 'approved') cancel(request);
    return shown(request, reply);
  };

  /** Hides the decision about a follow-up, where the provider only receives. */
  const shown = ({ operation, of }: SimulatorRequest, reply: SimulatorReply): SimulatorReply => {
    const isFollowUp = (operation === 'status' ? of : operation) !== 'authorize';
    if (!receivesOnly || !isFollowUp) return reply;
    const { id, amount, currency } = reply;
    return { id, amount, currency, result: 'pending', code: 'received', message: 'Received' };
  };

  /** Refuses a follow-up of an unknown payment. */
  const refuseUnpaid = (request: SimulatorRequest): SimulatorReply | null => {
    const { operation, payment_id: payment } = request;
    if (!keepsPayments || operation === 'authorize' || operation === 'cancel') return null;
    const isPaid = [...books].some(
      ([key, { id, result }]) =>
        id === payment && result === 'approved' && requests.get(key)?.operation === 'authorize',
    );
    const message = 'There is no such payment';
    return isPaid ? null : { ...simulate(request), result: 'error', code: 'invalid_operation', message };
  };

  /** Refuses an authorisation as a test asks. */
  const refusedNext = (request: SimulatorRequest): SimulatorReply | null => {
    const refusal = request.operation === 'authorize' ? refusals.shift() : undefined;
    return refusal ? { ...simulate(request), result: 'declined', message: 'Refused', ...refusal } : null;
  };

  /** Refuses a refund of more than its captures. */
  const refuseOverdrawn = (request: SimulatorRequest): SimulatorReply | null => {
    const message = overdrawn({ requests, replies: books, earlier, reversed }, request);
    return message === null
      ? null
      : { ...simulate(request), result: 'error', code: 'invalid_amount', message };
  };

  /** Undecided and unseen payments will no longer be authorised. */
  const cancel = ({ authorization_key: key = '', amount, currency }: SimulatorRequest): void => {
    const authorization = books.get(key) ?? { result: 'pending', id: `pay_${key}`, amount, currency };
    if (authorization.result === 'pending')
      books.set(key, { ...authorization, result: 'error', code: 'canceled', message: 'Cancelled' });
  };

  /** Decides an accepted payment at the first inquiry. */
  const statusOf = (request: SimulatorRequest, known: SimulatorReply | undefined): SimulatorReply => {
    if (!known) return { ...simulate(request), result: 'not_found' };
    if (known.result !== 'pending') return shown(request, known);
    const decided = simulate(request);
    remember(request, decided);
    return shown(request, decided);
  };

  const finish = (): void => {
    for (const [key, { result }] of books) {
      const request = requests.get(key);
      if (result !== 'pending' || !request || request.operation === 'resume') continue;
      const { operation: of } = request;
      if (of !== 'status') remember(request, simulate({ ...request, operation: 'status', of }));
    }
  };

  /** Books a reply. Prepares the webhooks that take the reply back or dispute it later, as its amount or account asks. */
  const remember = (request: SimulatorRequest, reply: SimulatorReply): void => {
    books.set(request.idempotency_key, reply);
    settlements.book(request, reply);
    owed.decided(request, reply);
    const webhook = simulateTakeBack(request, reply);
    if (webhook) takenBack.push({ id: randomUUID(), ...webhook });
    if (webhook?.event === 'refund.reversed')
      reversed.set(request.idempotency_key, webhook.amount ?? request.amount);
    for (const dispute of simulateDispute(request, reply, new Date()))
      takenBack.push({ id: randomUUID(), ...dispute });
  };

  /** Takes effect once. An ended payment stays unchanged, and a payment without a decision still waits. */
  const resume = (request: SimulatorRequest, known: SimulatorReply | undefined): SimulatorReply => {
    if (known && known.result !== 'pending') return known;
    const done = simulate(request);
    if (done.result === 'pending')
      return { ...done, approval_url: known?.approval_url ?? done.approval_url ?? '' };
    books.set(request.idempotency_key, done);
    return done;
  };

  const answer = (request: Question, response: ServerResponse, fault: Fault | undefined): void => {
    if (fault === 'lose_request') return void response.destroy();
    // Each return of the buyer is a request of its own. Only the state of the payment makes it work once.
    if (comparesRequests && hasKey(request)) {
      const body = JSON.stringify(request);
      const earlier = first.get(request.idempotency_key);
      if (earlier && earlier.body !== body) return void response.writeHead(422).end('Another request');
      if (earlier?.failed) return void response.writeHead(500, { 'idempotent-replayed': 'true' }).end();
      if (!earlier) first.set(request.idempotency_key, { body, failed: fault === 'error_after_work' });
    }
    if (fault === 'still_deciding') return void response.end(result(request, 'pending'));
    if (fault === 'not_found') return void response.end(result(request, 'not_found'));
    const reported = perform(request);
    const reply = JSON.stringify(
      fault === 'other_money' && 'amount' in reported
        ? { ...reported, amount: reported.amount + 1 }
        : reported,
    );
    if (fault === 'lose_answer') response.destroy();
    else if (fault === 'error_after_work') response.writeHead(500).end('Internal error');
    else if (fault === 'nonsense') response.writeHead(200).end('{"result":"perhaps"}');
    else if (fault === 'hang') waiting.push(() => response.end(reply));
    else response.writeHead(200, { 'content-type': 'application/json' }).end(reply);
  };

  const result = (request: Question, reported: SimulatorReply['result']): string =>
    JSON.stringify({ ...wordsFor(request), result: reported });

  /** Returns the reply without the effect. */
  const wordsFor = (request: Question): Reply => {
    if (isResponse(request)) return simulateResponse(request);
    if (request.operation === 'settlements' || request.operation === 'books') return {};
    return request.operation === 'session' ? simulateSession(request) : simulate(request);
  };

  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request = JSON.parse(Buffer.concat(chunks).toString('utf8')) as
        | Question
        | { readonly operation: 'verify' }
        | { readonly operation: 'token' };
      if (request.operation === 'token') {
        const issued = tokens?.issue({ ...request }) ?? null;
        return void response.writeHead(issued === null ? 401 : 200).end(issued ?? '');
      }
      if (tokens && !tokens.accepts(incoming.headers.authorization))
        return void response.writeHead(401).end();
      // A check of credentials counts as no call, and meets no fault.
      if (request.operation === 'verify') return void response.end('{"result":"accepted"}');
      if (request.operation === 'books' && (!keepsPayments || paymentBooks.has(request.payment_id))) {
        const written = paymentBooks.get(request.payment_id) ?? { result: 'not_found' };
        return void response.end(JSON.stringify(written));
      }
      if (request.operation === 'session') sessionCalls.push(request);
      else if (isResponse(request)) disputeCalls.push(request);
      else if (request.operation !== 'settlements' && request.operation !== 'books') calls.push(request);
      // No connection is used twice. A lost reply stays lost, and the client does not repeat the request on a new
      // connection.
      response.setHeader('connection', 'close');
      const thinkingMs = delayMs();
      const work = () => answer(request, response, faults.shift());
      const begin = () => (thinkingMs === 0 ? work() : void setTimeout(work, thinkingMs));
      if (mayWork) void mayWork().then(begin);
      else begin();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/payments`,
    calls,
    sessionCalls,
    disputeCalls,
    settlements,
    ...{ books, paymentBooks },
    hand: payments.hand,
    owed,
    finish,
    repeats,
    failNext: (...given) => void faults.push(...given),
    declineNext: (...given) => void refusals.push(...given),
    behave: () => {
      faults.splice(0);
      refusals.splice(0);
    },
    release: () => {
      waiting.forEach((go) => go());
      waiting = [];
    },
    takeBack: async (webhookUrl, secret, times = 1) => {
      const statuses: number[] = [];
      for (const webhook of takenBack.splice(0))
        for (let count = 0; count < times; count += 1) statuses.push(await tell(webhookUrl, secret, webhook));
      return statuses;
    },
    hasCaptured: (key, amount) => void earlier.set(key, amount),
    hasReversed: (key, amount) => void reversed.set(key, (reversed.get(key) ?? 0) + amount),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Posts a signed webhook, and returns the status of the answer. */
async function tell(webhookUrl: string, secret: string, webhook: object): Promise<number> {
  const { headers, body } = signed(webhook, secret);
  const response = await fetch(webhookUrl, { method: 'POST', body, headers });
  await response.arrayBuffer();
  return response.status;
}
