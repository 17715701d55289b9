import type { Timed } from '../kit/agenda.ts';

export const SECOND_MS = 1_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The ways of Braintree that its documentation leaves open, or that its account decides. */
export type Settings = {
  readonly publicKey: string;
  readonly privateKey: string;
  /** The merchant accounts by their ids, each with its currency. */
  readonly merchantAccounts: Readonly<Record<string, string>>;
  /** The time until the search finds a transaction. */
  readonly searchLagMs: number;
  /** The time within which a repetition is refused. 0 if the account has switched the check off. */
  readonly duplicatesMs: number;
  /** False if a refused repetition does not name the transaction that it repeats. */
  readonly namesOriginal: boolean;
  /** The party that refuses a repetition within that time. A processor names no transaction. */
  readonly declinesRepeats: 'gateway' | 'processor';
  /** True if a child capture gives its order id to its authorisation. */
  readonly captureRenamesParent: boolean;
  /** The time until a transaction shows its new status, captures and refunds. */
  readonly readLagMs: number;
  /** The time for which a name of a card from a client pays. */
  readonly nonceLivesMs: number;
  /** True if the account takes several captures of a card. */
  readonly hasSeveral: boolean;
  /** The numbers of cards that their issuer declines, whatever the amount. */
  readonly declinedCards: readonly string[];
  /** The time from a capture or refund to its settlement. */
  readonly settlesAfterMs: number;
  /** The length of a settlement, in which nothing can be voided. */
  readonly settlingMs: number;
  /** True if the account refunds during a settlement. */
  readonly refundsWhileSettling: boolean;
};

export type Source = 'API' | 'CONTROL_PANEL';

/** The answer of a processor. */
export type Response = { readonly code: string; readonly message: string; readonly network: string | null };

export type Event = {
  readonly status: string;
  readonly at: Date;
  readonly source: Source;
  readonly minor: number;
  readonly response: Response | null;
  readonly reason: string | null;
  readonly duplicateOf: Transaction | null;
};

/** A payment: a transaction, or a refund. */
export type Payment = {
  readonly id: string;
  readonly legacyId: string;
  readonly createdAt: Date;
  readonly source: Source;
  readonly merchantAccountId: string;
  readonly currency: string;
  orderId: string | null;
  /** The order ids of all times, oldest first. */
  readonly orderIds: { readonly at: Date; readonly orderId: string | null }[];
  minor: number;
  /** Oldest first. */
  readonly events: Event[];
};

/** The part of an answer that the next request of a root field does not get. */
export type Failing = { readonly field: string; readonly part: string; readonly errorClass: string };

export type Refund = Payment & {
  readonly of: Transaction;
  /** The `clientMutationId` of the request. Null for an act of a person. */
  readonly key: string | null;
};

export type Card = {
  readonly number: string;
  readonly month: string;
  readonly year: string;
  readonly hasCvv: boolean;
};

export type Transaction = Payment & {
  readonly card: Card;
  readonly key: string | null;
  readonly isSale: boolean;
  /** The authorisation that a child captures. */
  readonly parent: Transaction | null;
  readonly children: Transaction[];
  readonly refunds: Refund[];
  readonly disputes: Dispute[];
  /** The stored payment method that pays, or that the payment stored. */
  methodId: string | null;
  /** The keys of the requests that captured or reversed the transaction. Null for a person. */
  capturedBy: string | null;
  reversedBy: string | null;
};

/** A name of a card: for one payment, or stored. */
export type Method = {
  readonly id: string;
  readonly card: Card;
  readonly isMultiUse: boolean;
  /** True for a name of the sandbox, which pays as often as a test wants. */
  readonly isOfSandbox?: true;
  /** The moment at which a name for one payment ends. Absent for a stored card. */
  readonly endsAt?: Date;
  isUsed: boolean;
};

export type Dispute = {
  readonly id: string;
  readonly legacyId: string;
  readonly of: Transaction;
  readonly minor: number;
  readonly type: string;
  readonly reason: string;
  readonly reasonCode: string;
  readonly receivedAt: Date;
  readonly respondBy: Date;
  readonly texts: string[];
  /** The bytes of the files, in base64. */
  readonly files: string[];
  status: string;
};

/** A webhook that is owed. */
export type Owed = { readonly id: string; readonly kind: string; readonly subject: string };

/** A refusal that a test ordered for the requests of a root field for a transaction. */
export type OrderedRefusal = {
  readonly field: string;
  readonly transactionId: string;
  readonly code: string;
};

export type World = Timed & {
  readonly settings: Settings;
  /** The moment whose state a late read shows. Absent for an answer to a change, which shows the present. */
  readonly shownAt?: Date;
  /** Unused: no page of Braintree is in a payment. */
  pages: string;
  /** Returns a new id of the older API. */
  readonly newId: () => string;
  readonly transactions: Map<string, Transaction>;
  readonly methods: Map<string, Method>;
  readonly disputes: Map<string, Dispute>;
  readonly owed: Owed[];
  readonly refusals: OrderedRefusal[];
  /** The acts before the next request of a root field. */
  readonly actsBefore: { readonly field: string; readonly act: () => void }[];
  /** The transactions that no search shows. */
  readonly hidden: Set<string>;
  /** The processor's codes for the next refunds. */
  readonly nextDeclines: string[];
  readonly failing: Failing[];
  /** The number of the next payments and refunds that wait for their processor. */
  waiting: number;
};

/** The names of test cards in the sandbox. */
const TEST_CARDS: Readonly<Record<string, string>> = {
  'fake-valid-nonce': '4111111111111111',
  'fake-processor-declined-visa-nonce': '4000111111111115',
};

export function createWorld(now: () => Date, newId: () => string, settings: Settings): World {
  const methods = Object.entries(TEST_CARDS).map(([id, number]): [string, Method] => {
    const card = { number, month: '12', year: '2030', hasCvv: true };
    return [id, { id, card, isMultiUse: false, isOfSandbox: true, isUsed: false }];
  });
  return {
    ...{ now, newId, settings, agenda: [], pages: '', transactions: new Map(), methods: new Map(methods) },
    ...{
      disputes: new Map(),
      owed: [],
      refusals: [],
      nextDeclines: [],
      failing: [],
      waiting: 0,
      actsBefore: [],
      hidden: new Set(),
    },
  };
}

/** Returns the id in GraphQL of an object with an id of the older API. */
export const globalIdOf = (type: string, legacyId: string): string =>
  Buffer.from(`${type}_${legacyId}`).toString('base64').replaceAll('=', '');

export const statusOf = ({ events }: Payment): string => events.at(-1)?.status ?? 'AUTHORIZING';

/** Returns the world as a read shows it, which may be late. */
export const asRead = (world: World): World => ({
  ...world,
  shownAt: new Date(world.now().getTime() - world.settings.readLagMs),
});

/** True if a transaction had a status, now or earlier. */
export const had = ({ events }: Payment, status: string): boolean =>
  events.some((event) => event.status === status);

const TAKEN = ['SUBMITTED_FOR_SETTLEMENT', 'SETTLING', 'SETTLED', 'SETTLEMENT_PENDING'];

/** True for a payment whose money is taken, or on its way. */
export const isTaken = (payment: Payment): boolean => TAKEN.includes(statusOf(payment));

const WITHOUT_DECIMALS: ReadonlySet<string> = new Set(
  'BIF CLP DJF GNF JPY KMF KRW LAK PYG RWF UGX VND VUV XAF XOF XPF'.split(' '),
);

export const decimalsOf = (currency: string): number => (WITHOUT_DECIMALS.has(currency) ? 0 : 2);

/** Writes an amount in major units, with the decimals of its currency. */
export const amountText = (minor: number, currency: string): string =>
  (minor / 10 ** decimalsOf(currency)).toFixed(decimalsOf(currency));

/** Returns the sum of the refunds that stand or wait. */
export const refundedOf = ({ refunds }: Transaction): number =>
  refunds
    .filter((each) => isTaken(each) || each.events.length === 0)
    .reduce((sum, { minor }) => sum + minor, 0);
