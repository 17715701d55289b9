import { createAdyenDouble } from '../../connectors/adyen/double.ts';
import type { Modification, ModificationKind, Payment } from '../../connectors/adyen/model.ts';
import type { Verb } from '../../../src/connectors/interface/requests.ts';
import { BEGIN_MS } from '../harness.ts';
import type { Stage } from '../stage.ts';
import type { Account } from './connectors.ts';
import { BY_HAND, idsOf, shareOf, type Effect, type Handled, type RealDouble } from './double.ts';

/** Opens the double of Adyen for an account. Some of Adyen's undocumented ways differ between histories. */
export function openAdyen(stage: Stage, account: Account): RealDouble {
  const { random } = stage;
  const { secretKey: apiKey, merchantAccount, hmacKey, hasMultipleCaptures: multipleCaptures } = account;
  const double = createAdyenDouble({
    ...{ apiKey, merchantAccount, hmacKey, multipleCaptures },
    now: () => new Date(BEGIN_MS + stage.now),
    newId: idsOf(stage),
    otherBody: random.pick(['first_answer', 'refused', 'refused_otherwise']),
    modificationReference: random.pick(['own', 'payment']),
    stopsLatePayments: random.chance(0.5),
  });
  const byHand = new Set<string>();
  return {
    isFor: ({ headers }) => headers['x-api-key'] === apiKey,
    serve: (request, _, fault) => {
      if (fault) double.failNext(fault);
      return double.serve(request);
    },
    effects: () => double.books().flatMap((payment) => effectsOf(payment, byHand)),
    byHand: ({ what, share }) => {
      const payment = double.books().find((one) => isPossible(one, what));
      if (!payment) return false;
      const { reference, authorised, captured, refunded, cancelled } = payment;
      const { elsewhere } = double;
      if (what === 'refund') byHand.add(elsewhere.refund(reference, shareOf(captured - refunded, share)));
      else if (what === 'capture')
        byHand.add(elsewhere.capture(reference, shareOf(authorised - captured - cancelled, share)));
      else byHand.add(elsewhere.cancel(reference));
      return true;
    },
    owed: () => double.webhooks().map(({ body, headers }) => ({ body, sign: () => headers })),
    refuse: (verb) => {
      for (const kind of verb === 'status' ? [] : KINDS[verb])
        double.decideNext(kind, verb === 'capture' || verb === 'refund' ? random.pick(VERDICTS) : 'fails');
    },
  };
}

/** Tells whether a payment allows an act. A request that Adyen has not decided yet may leave nothing. */
function isPossible(payment: Payment, what: Handled['what']): boolean {
  const { status, authorised, captured, refunded, cancelled, modifications, capturesAtOnce } = payment;
  if (status !== 'authorised' || modifications.some(({ decision }) => decision === 'received')) return false;
  if (what === 'refund') return captured - refunded > 0;
  if (captured > 0 || capturesAtOnce) return false;
  return (what === 'capture' || what === 'void') && authorised - cancelled > 0;
}

const VERDICTS = ['fails', 'fails', 'succeeds_then_fails', 'is_reversed'] as const;

const KINDS: Readonly<Record<Verb, readonly ModificationKind[]>> = {
  authorize: [],
  increase: [],
  reauthorize: [],
  capture: ['capture'],
  refund: ['refund'],
  void: ['cancel'],
  cancel: [],
};

const RESULTS = {
  received: 'pending',
  succeeded: 'approved',
  failed: 'declined',
  taken_back: 'approved',
} as const;

function effectsOf(payment: Payment, byHand: ReadonlySet<string>): readonly Effect[] {
  const { pspReference, reference, authorised, status, capturesAtOnce, modifications } = payment;
  const isReleased = modifications.some(
    ({ kind, decision }) => (kind === 'technical_cancel' || kind === 'reversal') && decision === 'succeeded',
  );
  return [
    {
      ...{ verb: 'authorize', key: reference, id: pspReference, paymentId: pspReference },
      amount: authorised > 0 ? authorised : null,
      result:
        authorised > 0 ? 'approved' : status === 'pending' || status === 'waiting' ? 'pending' : 'declined',
      isSale: capturesAtOnce,
      released: isReleased,
      // The release of the rest after a final capture ends the authorisation, as an expiry does. Its webhook tells an expiry.
      expired:
        status === 'expired' || modifications.some((one) => isOfRest(one) && one.decision === 'succeeded'),
    },
    ...modifications
      .filter((one) => !isOfRest(one) || (one.decision === 'succeeded' && !isOfSuccess(payment, one)))
      .map((modification) =>
        // After a refused capture, the release has voided the payment or its rest, and nobody asked for that.
        byHand.has(modification.pspReference) || isOfRest(modification)
          ? made(payment, modification)
          : modified(payment, modification),
      ),
  ];
}

const approvedCaptures = ({ modifications }: Payment): readonly Modification[] =>
  modifications.filter(({ kind, decision }) => kind === 'capture' && RESULTS[decision] === 'approved');

const hasCapture = (payment: Payment): boolean => approvedCaptures(payment).length > 0;

/** Reads a reference of ours: the key of an operation with its verb. */
function nameOf({ reference }: Modification): { readonly key: string; readonly verb: string } {
  const [key = '', verb = ''] = reference.split('_');
  return { key, verb };
}

/** True for the release of the rest, which belongs to a final capture and has no operation of its own. */
const isOfRest = (modification: Modification): boolean => nameOf(modification).verb === 'release';

/** True for the release of the rest after a final capture that succeeded. The payment is closed then. */
const isOfSuccess = (payment: Payment, release: Modification): boolean =>
  approvedCaptures(payment).some((capture) => nameOf(capture).key === nameOf(release).key);

const VERBS: Readonly<Partial<Record<ModificationKind, Verb>>> = {
  ...{ capture: 'capture', refund: 'refund', cancel: 'void' },
};

/** Returns the effect of a hand, which has the reference of the payment. */
function made(payment: Payment, modification: Modification): Effect {
  const { pspReference: paymentId, authorised } = payment;
  const { kind, pspReference: id, amount, decision } = modification;
  return {
    ...{ verb: VERBS[kind] ?? 'capture', key: `${kind} ${id}`, id, paymentId },
    byHand: { ...BY_HAND, isOfRest: kind === 'cancel' && hasCapture(payment) },
    ...{ amount: amount?.value ?? authorised, result: RESULTS[decision] },
    reversed: decision === 'taken_back' ? (amount?.value ?? 0) : 0,
  };
}

function modified({ pspReference: paymentId }: Payment, modification: Modification): Effect {
  const { pspReference: id, amount, decision } = modification;
  const { key, verb } = nameOf(modification);
  const value = amount?.value ?? null;
  return {
    ...{ verb: verb as Verb, key, id, paymentId, amount: value, result: RESULTS[decision] },
    reversed: decision === 'taken_back' ? (value ?? 0) : 0,
  };
}
