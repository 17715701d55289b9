import {
  createBraintreeDouble,
  fieldIn,
  keyIn,
  READ,
  WORK,
  type BraintreeDouble,
} from '../../connectors/braintree/double.ts';
import {
  DAY_MS,
  had,
  HOUR_MS,
  isTaken,
  refundedOf,
  SECOND_MS,
  statusOf,
  type Payment,
  type Refund,
  type Transaction,
} from '../../connectors/braintree/world.ts';
import { BEGIN_MS } from '../harness.ts';
import type { Stage } from '../stage.ts';
import type { ConnectorCall } from './calls.ts';
import type { Account } from './connectors.ts';
import { BY_HAND, idsOf, shareOf, type Effect, type Handled, type RealDouble } from './double.ts';

/** The verbs of the reversals, by their keys. A void, a cancel and the void of a capture are the same act. */
type Verbs = Map<string, ConnectorCall['verb']>;

/** Opens the double of Braintree for an account. Some of its undocumented ways differ between histories. */
export function openBraintree(stage: Stage, account: Account): RealDouble {
  const { random } = stage;
  const { clientId: publicKey, secretKey: privateKey, hasMultipleCaptures: hasSeveral } = account;
  const double = createBraintreeDouble({
    ...{ publicKey, privateKey, hasSeveral, merchantAccounts: { account_php: 'PHP' } },
    now: () => new Date(BEGIN_MS + stage.now),
    newId: idsOf(stage),
    searchLagMs: random.pick([0, 60 * SECOND_MS, HOUR_MS]),
    duplicatesMs: random.pick([0, 30 * SECOND_MS]),
    namesOriginal: random.chance(0.5),
    captureRenamesParent: random.chance(0.5),
    declinesRepeats: random.pick(['gateway', 'processor']),
    settlesAfterMs: random.pick([0, HOUR_MS, DAY_MS]),
    settlingMs: random.pick([0, HOUR_MS]),
    readLagMs: random.pick([0, 60 * SECOND_MS]),
    declinedCards: ['4000000000000002'],
  });
  const verbs: Verbs = new Map();
  const basic = `Basic ${Buffer.from(`${publicKey}:${privateKey}`).toString('base64')}`;
  const named = ({ method, path, body }: { method: string; path: string; body: string }): string =>
    `${method} ${path} ${fieldIn(body)}`;
  return {
    isFor: ({ headers }) => headers['authorization'] === basic,
    isWork: (request) => WORK.test(named(request)) || READ.test(named(request)),
    isQuestion: (request) => !WORK.test(named(request)),
    serve: (request, call, fault) => {
      if (fault) double.failNext([fault], named(request));
      if (call && call.verb !== 'status' && WORK.test(named(request)))
        verbs.set(keyIn(request.body), call.verb);
      return double.handle(request);
    },
    effects: () => {
      const transactions = double.transactions();
      return transactions.filter(({ parent }) => parent === null).flatMap((each) => effectsOf(each, verbs));
    },
    owed: () =>
      double.webhooks().map(({ body, headers }) => ({ body, sign: () => headers, onlyNames: true })),
    byHand: (handled) => double.transactions().some((each) => act(double, each, handled)),
    refuse: (verb) => {
      if (verb === 'refund') double.hands.declineRefund('2005');
    },
  };
}

/** Moves money by hand. False if the transaction does not allow the act. */
function act({ hands }: BraintreeDouble, transaction: Transaction, { what, share }: Handled): boolean {
  const { id, minor, children } = transaction;
  if (what === 'refund') {
    const left = minor - refundedOf(transaction);
    if (statusOf(transaction) !== 'SETTLED' || left === 0) return false;
    hands.refund(id, shareOf(left, share));
    return true;
  }
  if (statusOf(transaction) !== 'AUTHORIZED' || children.length > 0) return false;
  if (what === 'capture') hands.capture(id, shareOf(minor, share));
  else if (what === 'void') hands.void(id);
  else return false;
  return true;
}

const isDuplicate = ({ events }: Payment): boolean => events.some(({ reason }) => reason === 'DUPLICATE');

const amountAt = ({ events, minor }: Payment, status: string): number =>
  events.find((event) => event.status === status)?.minor ?? minor;

function effectsOf(transaction: Transaction, verbs: Verbs): readonly Effect[] {
  const { id, key, isSale, children, reversedBy } = transaction;
  // A refused repetition did nothing.
  if (isDuplicate(transaction)) return [];
  const isMade = had(transaction, 'AUTHORIZED');
  const reversedAs = verbs.get(reversedBy ?? '');
  const ids = { id, paymentId: id };
  return [
    {
      ...{ verb: 'authorize', key: key ?? 'no key', ...ids, isSale },
      amount: amountAt(transaction, isMade ? 'AUTHORIZED' : ''),
      result: isMade ? 'approved' : 'declined',
      released:
        reversedAs === 'cancel' || transaction.refunds.some((made) => verbs.get(made.key ?? '') === 'cancel'),
    },
    ...(children.length > 0 ? children : [transaction]).flatMap((each) =>
      partsOf(each, { paymentId: id, isSale, verbs }),
    ),
    ...endOf(transaction, reversedAs),
  ];
}

type Of = { readonly paymentId: string; readonly isSale: boolean; readonly verbs: Verbs };

/** Lists the capture of a transaction, and its refunds. */
function partsOf(captured: Transaction, { paymentId, isSale, verbs }: Of): readonly Effect[] {
  const { id, legacyId, capturedBy, reversedBy, refunds, parent } = captured;
  if (!had(captured, 'SUBMITTED_FOR_SETTLEMENT')) return [];
  const amount = amountAt(captured, 'SUBMITTED_FOR_SETTLEMENT');
  const ofHand = (key: string | null) => (key === null ? { byHand: BY_HAND } : {});
  const isVoided = statusOf(captured) === 'VOIDED' && verbs.get(reversedBy ?? '') !== 'cancel';
  // A void that met the capture of a hand is a refund without a key of ours.
  const refundedBy = (key: string | null) => (verbs.get(key ?? '') === 'void' ? null : key);
  const reversal = refundedBy(reversedBy);
  // So is a reversal of the rest, after a refund by a hand that a late read did not show.
  const keyOf = (made: Refund) =>
    made.orderId !== made.key && made.minor < amount ? null : refundedBy(made.key);
  const taken = { paymentId, amount, result: 'approved' } as const;
  const capture: Effect = {
    ...{
      ...taken,
      verb: 'capture',
      id: parent === null ? legacyId : id,
      key: capturedBy ?? `capture ${id}`,
      ...ofHand(capturedBy),
    },
  };
  const voided: Effect = {
    ...{ ...taken, verb: 'refund', id, key: reversal ?? `refund ${id}`, ...ofHand(reversal) },
  };
  return [
    ...(isSale && parent === null ? [] : [capture]),
    ...(isVoided ? [voided] : []),
    ...refunds.map((made): Effect => ({
      // The cancel of a settled sale is a refund, too.
      ...{ verb: verbs.get(made.key ?? '') === 'cancel' ? 'cancel' : 'refund', id: made.id, paymentId },
      ...{ key: keyOf(made) ?? `refund ${made.id}`, amount: made.minor, ...ofHand(keyOf(made)) },
      result: isTaken(made) ? 'approved' : 'declined',
    })),
  ];
}

/** Lists the release of an authorisation, and the cancel of a sale. */
function endOf(transaction: Transaction, reversedAs: ConnectorCall['verb'] | undefined): readonly Effect[] {
  const { id, reversedBy, minor } = transaction;
  const ids = { id, paymentId: id };
  const isVoided = statusOf(transaction) === 'VOIDED';
  const isHeld = !had(transaction, 'SUBMITTED_FOR_SETTLEMENT');
  if (isVoided && reversedBy !== null && (reversedAs === 'cancel' || (reversedAs === 'void' && isHeld)))
    return [{ verb: reversedAs, key: reversedBy, ...ids, amount: null, result: 'approved' }];
  if (isVoided && reversedBy === null && isHeld)
    return [{ verb: 'void', key: `void ${id}`, ...ids, amount: minor, result: 'approved', byHand: BY_HAND }];
  return [];
}
