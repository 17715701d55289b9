import type { App, Viewer } from '../../src/app.ts';
import type { Result } from '../../src/kernel/result.ts';
import {
  cancelTransaction,
  captureTransaction,
  createTransaction,
  increaseAuthorization,
  reauthorizeTransaction,
  refundTransaction,
  resolveReview,
  syncTransaction,
  voidTransaction,
  type Answer,
  type Refunded,
} from '../../src/modules/transactions/index.ts';
import type { Away } from './away.ts';
import { decide } from './buyers.ts';
import { describeAct, type Act, type Create, type Resolve, type SentAct, type Word } from './acts.ts';
import type { Books } from './books.ts';
import { isInjected } from './director.ts';
import { BEGIN_MS } from './harness.ts';
import { BANKS, BUYER_ID, chainOf, type Merchant, type ServiceKind } from './harness.ts';
import { begin, note, type Stage } from './stage.ts';
import { count } from './tally.ts';
import { buyerFor } from './third-party.ts';
import { cardFor } from './three-ds.ts';

/** A request as sent. */
export type Requested = {
  readonly kind: SentAct['kind'];
  /** The merchant that sends the request. */
  readonly merchant: Merchant;
  /** True when the transaction belongs to another merchant. */
  readonly stranger: boolean;
  readonly key: string | null;
  /** Null for a create. */
  readonly transactionId: string | null;
  /** Minor units. Null means the whole rest, or no amount where the request has none. */
  readonly amount: number | null;
  /** The decision of a review. */
  readonly decision: Resolve['decision'] | null;
  readonly final: boolean;
  /** True for a refund to all who paid. */
  readonly toAll: boolean;
  readonly payment:
    | (Pick<
        Create,
        | 'intent'
        | 'currency'
        | 'method'
        | 'threeDS'
        | 'giftCards'
        | 'verdict'
        | 'expiresAtMs'
        | 'card'
        | 'splits'
        | 'rules'
      > & {
        readonly paymentServiceId: string | null;
      })
    | null;
};

/** Returns the mutation of a request. Keys are stored under its name. */
export function mutationOf(kind: Requested['kind']): string {
  if (kind === 'increase') return 'increaseAuthorization';
  return kind === 'resolve' ? 'resolveReview' : `${kind}Transaction`;
}

/** The answer to the backend. With `lost` the process died, or the request failed without an answer. */
export type Heard =
  | ({ readonly kind: 'answered' } & Answer)
  | { readonly kind: 'synced' }
  | { readonly kind: 'refused'; readonly refusals: readonly string[] }
  | { readonly kind: 'lost' };

export type Exchange = { readonly requested: Requested; readonly heard: Heard };

/** The merchants' backends and their buyers in one history. */
export type Client = {
  readonly exchanges: readonly Exchange[];
  /** Starts an act of the plan on its process. */
  act(number: number): void;
  /** Returns the transaction of a create act, if known by now. */
  transactionOf(number: number): string | undefined;
  /** Returns the viewer of a create act. */
  viewerOf(number: number): Viewer;
  /** Sends a request at once, without turns, for checks after the history. */
  ask(process: number, requested: Requested): Promise<Heard>;
};

export type ClientSettings = {
  readonly stage: Stage;
  readonly viewers: readonly Viewer[];
  readonly apps: readonly App[];
  readonly acts: readonly Act[];
  readonly books: Books;
  /** Takes buyers' decisions at the pages of real providers. */
  readonly decideAtPage: Away['decideAtPage'];
  readonly serviceOf: (merchant: number, kind: ServiceKind) => string;
};

/** The probability that a backend repeats a request after a lost answer, under the same key. */
const RETRY = 0.5;

/** The probability that another request finds a payment in the list before its own answer. */
const SEEN = 0.8;

export function createClient({
  stage,
  viewers,
  apps,
  acts,
  books,
  decideAtPage,
  serviceOf,
}: ClientSettings): Client {
  const exchanges: Exchange[] = [];
  const known = new Map<number, string>();

  const ask = async (process: number, requested: Requested): Promise<Heard> => {
    try {
      return await send(apps[process] as App, viewers[requested.merchant] as Viewer, requested);
    } catch (error) {
      if (!isInjected(error)) stage.surprises.push(`${requested.kind} threw: ${String(error)}`);
      return { kind: 'lost' };
    }
  };

  /** Starts the request of an act. `number` is the number of the act, or of the repeated act. */
  const start = (
    number: number,
    process: number,
    requested: Requested,
    then: () => void = () => undefined,
  ): void => {
    const hear = (heard: Heard): void => {
      exchanges.push({ requested, heard });
      count(stage.tally, 'answers', wordOf(heard));
      note(stage, 'client', `#${number} hears ${describeHeard(heard)}`);
      const create = acts[number];
      if (heard.kind === 'answered' && create?.kind === 'create' && create.amount === requested.amount)
        known.set(number, heard.transaction.id);
      if (heard.kind === 'lost' && requested.key !== null && stage.random.chance(RETRY))
        start(number, process, requested, then);
      else then();
    };
    const run = async (): Promise<void> => hear(await ask(process, requested));
    begin(stage, process, nameOf(number, requested.kind), run, () => hear({ kind: 'lost' }));
  };

  /** Finds an unanswered payment in the list. */
  const seen = (number: number): string | undefined => {
    const claim = ({ statement, task }: Stage['commits'][number]): boolean =>
      statement.startsWith('claim_authorize') && task === nameOf(number, 'create');
    return stage.commits.find(claim)?.transactionId;
  };

  const toRequested = (act: SentAct, transactionId: string | null, changed: boolean): Requested => {
    const merchant = act.kind === 'create' ? act.merchant : (acts[act.of] as Create).merchant;
    const isStranger = act.kind !== 'create' && act.stranger;
    const requested = {
      kind: act.kind,
      merchant: isStranger ? strangerTo(merchant) : merchant,
      stranger: isStranger,
      key: act.kind === 'sync' ? null : act.key,
      transactionId,
      amount: 'amount' in act ? act.amount : null,
      decision: act.kind === 'resolve' ? act.decision : null,
      final: act.kind === 'capture' ? act.final : true,
      toAll: act.kind === 'refund' && act.toAll,
      payment: act.kind === 'create' ? paymentOf(act) : null,
    };
    // Gift cards that pay alone pay the exact amount.
    const { payment } = requested;
    if (changed && payment?.method === 'nobody')
      return {
        ...requested,
        payment: { ...payment, intent: payment.intent === 'capture' ? 'authorize' : 'capture' },
      };
    if (changed && requested.decision !== null)
      return { ...requested, decision: requested.decision === 'accept' ? 'reject' : 'accept' };
    // A void, a cancel and a re-authorisation have no field to change, so they are repeated as sent.
    return changed && /create|increase|capture|refund/.test(act.kind)
      ? { ...requested, amount: (requested.amount ?? 0) + 1 }
      : requested;
  };

  const paymentOf = (create: Create): Requested['payment'] => {
    const { requested, merchant, method, currency } = create;
    const choices = method === 'bank' ? BANKS : chainOf(currency);
    const kind = requested === null ? undefined : choices[requested];
    const paymentServiceId = kind ? serviceOf(merchant, kind) : null;
    const { intent, threeDS, giftCards, verdict, expiresAtMs, card, rules, splits } = create;
    const payment = { intent, currency, method, threeDS, giftCards, verdict, expiresAtMs, paymentServiceId };
    return {
      ...payment,
      ...(card && { card }),
      ...(rules !== undefined && { rules }),
      ...(splits && { splits }),
    };
  };

  const transactionOf = (number: number): string | undefined => known.get(number) ?? seen(number);

  /** Decides at the page of an authorisation, if the page exists. */
  const say = (
    number: number,
    { process, of, reported, first }: Word & { readonly process: number },
  ): void => {
    const { merchant, method } = acts[of] as Create;
    const merchantAccountId = viewers[merchant]?.merchantAccountId ?? '';
    const transactionId = transactionOf(of);
    const requested = stage.commits.filter(
      (one) => /^(claim|reroute)_authoriz/.test(one.statement) && one.transactionId === transactionId,
    );
    const id = requested.at(first ? 0 : -1)?.operationId;
    if (id === undefined || transactionId === undefined) return;
    const run = async (): Promise<void> => {
      try {
        const app = apps[process] as App;
        const waiting = { merchantAccountId, id, transactionId };
        const heard =
          (await decide(app, { stage, books, decideAtPage }, waiting, { method, reported })) ??
          'nothing asked';
        count(stage.tally, 'heard by buyers', `${reported}: ${heard}`);
        note(stage, 'buyer', `#${number} hears ${heard}`);
      } catch (error) {
        if (!isInjected(error)) stage.surprises.push(`approve threw: ${String(error)}`);
      }
    };
    begin(stage, process, `#${number} buyer`, run);
  };

  const act = (number: number, mayAskForPayment = true): void => {
    const given = acts[number] as Act;
    if (given.kind === 'buyer') {
      note(stage, 'client', `#${number} ${describeAct(given)}`);
      return say(number, given);
    }
    const origin = 'act' in given ? given.act : number;
    const sent = acts[origin] as SentAct;
    const changed = given.kind === 'change';
    if (mayAskForPayment) note(stage, 'client', `#${number} ${describeAct(given)}`);
    if (sent.kind === 'create') return start(origin, given.process, toRequested(sent, null, changed));
    const transactionId = known.get(sent.of) ?? (stage.random.chance(SEEN) ? seen(sent.of) : undefined);
    if (transactionId !== undefined)
      return start(origin, given.process, toRequested(sent, transactionId, changed));
    // A backend with an unknown payment repeats its create, under the key and only after the first try.
    const create = acts[sent.of] as Create;
    if (create.key !== null && mayAskForPayment)
      start(sent.of, given.process, toRequested(create, null, false), () => act(number, false));
  };
  const viewerOf = (number: number): Viewer => viewers[(acts[number] as Create).merchant] as Viewer;
  return { exchanges, ask, act, transactionOf, viewerOf };
}

const nameOf = (number: number, kind: string): string => `#${number} ${kind}`;

/** Returns another merchant. */
const strangerTo = (merchant: Merchant): Merchant => (merchant === 1 ? 0 : 1);

const CARD = { expirationDate: '12/99', securityCode: '100' };

/** Calls the same functions as the API. */
async function send(app: App, viewer: Viewer, requested: Requested): Promise<Heard> {
  const { key, amount, final, toAll } = requested;
  const id = requested.transactionId ?? '';
  switch (requested.kind) {
    case 'create':
      return toHeard(await createTransaction(app, viewer, inputOf(requested), key));
    case 'increase':
      return toHeard(await increaseAuthorization(app, viewer, id, { amount }, key));
    case 'reauthorize':
      return toHeard(await reauthorizeTransaction(app, viewer, id, key));
    case 'capture':
      return toHeard(await captureTransaction(app, viewer, id, { amount, final }, key));
    case 'refund':
      return refundHeard(
        await refundTransaction(app, viewer, id, { amount, ...(toAll && { target: 'all' }) }, key),
      );
    case 'void':
      return toHeard(await voidTransaction(app, viewer, id, key));
    case 'cancel':
      return toHeard(await cancelTransaction(app, viewer, id, key));
    case 'resolve':
      return toHeard(await resolveReview(app, viewer, id, { decision: requested.decision }, key));
    case 'sync': {
      const synced = await syncTransaction(app, viewer, id);
      return synced.ok ? { kind: 'synced' } : refused(synced.refusals);
    }
  }
}

function inputOf({ amount, payment }: Requested): unknown {
  const { method, threeDS, giftCards, verdict, expiresAtMs, card, rules, splits, ...fields } =
    payment as NonNullable<Requested['payment']>;
  return {
    ...(rules !== undefined && { metadata: { rules: String(rules) } }),
    ...(verdict !== null && { buyer: buyerFor(verdict) }),
    ...(card === 'declined' && { buyer: DECLINED_BUYER }),
    // Half of the accepted payments at a real provider belong to a stored buyer.
    ...(card && card !== 'declined' && Number(amount) % 2 === 0 && { buyerId: BUYER_ID }),
    ...{ ...PAYMENT, ...fields, amount, giftCards, externalIdentifier: threeDS },
    ...(splits && { splits: splitsOf(Number(amount)) }),
    paymentMethod: card
      ? { card: { ...CARD, expirationDate: REAL_EXPIRY, number: REAL_CARDS[card] } }
      : METHODS[method](threeDS),
    redirectUrl: /page|away|paypal|push|client/.test(method) ? 'https://merchant.example/' : null,
    ...(method === 'client' && { integrationClient: 'web' }),
    approvalExpiresAt: expiresAtMs === null ? null : new Date(BEGIN_MS + expiresAtMs),
  };
}

/** A tenth is for the platform, rounded up. */
function splitsOf(amount: number): object {
  const fee = Math.ceil(amount / 10);
  return [
    { kind: 'recipient', account: 'seller', amount: amount - fee },
    { kind: 'platform_fee', amount: fee },
  ];
}

/** Cards of Stripe's tests. Adyen's double declines by the name of the holder. */
const REAL_EXPIRY = '12/49';
const REAL_CARDS = { approved: '4242424242424242', declined: '4000000000000002' } as const;
const DECLINED_BUYER = { billingDetails: { firstName: 'DECLINED' } };

const METHODS = {
  card: (threeDS: Create['threeDS']) => ({ card: { ...CARD, number: cardFor(threeDS) } }),
  page: () => ({ redirect: { method: 'paypal' } }),
  away: () => ({ redirect: { method: 'ideal' } }),
  paypal: () => ({ redirect: { method: 'paypal' } }),
  'card-page': () => ({ redirect: { method: 'card' } }),
  push: () => ({ redirect: { method: 'oxxo' } }),
  client: () => ({ redirect: { method: 'venmo' } }),
  bank: () => ({ bank: ACCOUNT }),
  nobody: () => null,
} as const;

const PAYMENT = {
  paymentSource: 'ecommerce',
  merchantInitiated: false,
  isSubsequentPayment: false,
  store: false,
};

const ACCOUNT = {
  ...{ scheme: 'ach', accountNumber: '000123456789', routingNumber: '110000000', accountType: 'checking' },
  holderName: 'Ada Lovelace',
};

type Refusals = readonly { readonly kind: string }[];

const refused = (refusals: Refusals): Heard => ({
  kind: 'refused',
  refusals: refusals.map(({ kind }) => kind),
});

/** A backend needs no second person, so each refund has an answer. */
function refundHeard(result: Result<Refunded, { readonly kind: string }>): Heard {
  if (!result.ok) return refused(result.refusals);
  if (!result.value.answer) throw new Error('A backend was asked for a second person.');
  return { kind: 'answered', ...result.value.answer };
}

const toHeard = (result: Result<Answer, { readonly kind: string }>): Heard =>
  result.ok ? { kind: 'answered', ...result.value } : refused(result.refusals);

function wordOf(heard: Heard): string {
  if (heard.kind === 'refused') return heard.refusals.join(' ');
  if (heard.kind !== 'answered') return heard.kind;
  return `${heard.operation.kind} ${heard.operation.status}${heard.replayed ? ', replayed' : ''}`;
}

function describeHeard(heard: Heard): string {
  const word = wordOf(heard);
  if (heard.kind !== 'answered') return word;
  const { operation, transaction } = heard;
  return `${word}: ${operation.amount} under ${operation.id}, transaction ${transaction.id} ${transaction.status}`;
}
