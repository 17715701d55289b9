import type { App } from '../../src/app.ts';
import {
  listUnresolvedOperations,
  resolveOperation,
  type Operation,
} from '../../src/modules/transactions/index.ts';
import { inOurIds, type Books, type Entry } from './books.ts';
import { isInjected, runTurns } from './director.ts';
import { BEGIN_MS } from './harness.ts';
import {
  hasGiftCards,
  isReal,
  isReceivedOnly,
  placeOf,
  SKEW_MS_MAX,
  WINDOWS_MS,
  type Place,
} from './harness.ts';
import type { Violation } from './judge.ts';
import type { Lane } from './lane.ts';
import { PROCESSES } from './plan.ts';
import { readProgress, type Pending } from './progress.ts';
import { advanceTo, begin, note, type Stage } from './stage.ts';
import { count } from './tally.ts';
import { calmed } from './weather.ts';

/** The findings and the work of a person after the calm phase left unknown outcomes. */
export type Hands = { readonly violations: readonly Violation[]; readonly resolved: ReadonlySet<string> };

/** Resolvers die too. The started work of a dead resolver waits until its lease surely ends. */
const WAIT_MS = 3_600_000;
const ROUNDS = 4;

/**
 * Lists the unknown outcomes and resolves them by the books of the providers. The list must contain every pending
 * operation, and none with a discoverable outcome. Several processes resolve at once, and some of them die.
 */
export async function resolveByHand(
  lane: Lane,
  apps: readonly App[],
  stage: Stage,
  written: () => Books,
): Promise<Hands> {
  const resolved = new Set<string>();
  const { pending } = await readProgress(lane, []);
  const listed = await listAll(lane, apps);
  const violations = judgeList(lane, pending, listed, inOurIds(written(), pending), stage);
  const harsh = { ...stage.weather, crash: 0.05, disconnect: 0.02, overlap: 0.3 };
  for (let round = 1; round <= ROUNDS; round += 1) {
    const left = round === 1 ? listed : await listAll(lane, apps);
    if (left.length === 0) break;
    stage.weather = round < ROUNDS - 1 ? harsh : calmed(stage.weather);
    advanceTo(stage, stage.now + WAIT_MS);
    const books = inOurIds(written(), pending);
    for (const operation of left) {
      resolved.add(operation.id);
      count(stage.tally, 'resolved by hand', operation.kind);
      for (let persons = stage.random.int(1, 2); persons > 0; persons -= 1)
        say(lane, apps, stage, operation, books);
    }
    await runTurns(stage, () => false);
  }
  stage.weather = calmed(stage.weather);
  return { violations, resolved };
}

async function listAll({ viewers }: Lane, apps: readonly App[]): Promise<readonly Operation[]> {
  const [app] = apps as readonly [App];
  const lists = await Promise.all(
    viewers.map(async (viewer) => {
      const page = { direction: 'forward', limit: 100, cursor: null } as const;
      const listed = await listUnresolvedOperations(app, viewer, page);
      return listed.ok ? listed.value.items : [];
    }),
  );
  return lists.flat();
}

/** The providers that may never tell the end of an operation without an effect, by the verb. */
const TELLS_NO_END: Readonly<Record<string, readonly Place[]>> = {
  authorize: ['stripe', 'adyen', 'paypal', 'mollie', 'checkout', 'braintree'],
  cancel: ['adyen', 'paypal', 'mollie', 'checkout', 'braintree'],
};

function judgeList(
  { services }: Lane,
  pending: readonly Pending[],
  listed: readonly Operation[],
  { entries, giftCards }: Books,
  stage: Stage,
): readonly Violation[] {
  const wrong = (message: string): Violation => ({ kind: 'pending', message });
  const ids = new Set(listed.map(({ id }) => id));
  const isWithoutEffect = (id: string): boolean =>
    entries.some(({ key, paymentId }) => key === id && paymentId === 'none');
  const isOneOfSeveral = (id: string): boolean => {
    const mine = entries.find(({ key }) => key === id);
    return entries.some((one) => one !== mine && one.verb === mine?.verb && one.paymentId === mine.paymentId);
  };
  const withUnknown = new Set(listed.map(({ transactionId }) => transactionId));
  // An unsent operation has no unknown outcome. The operation waits for a gift card with one.
  const waits = ({ unsent, transaction_id: of }: Pending): boolean => unsent && withUnknown.has(of);
  const mayBeUnresolved = ({
    id,
    kind: verb,
    payment_service_id: service,
    created_at: createdAt,
  }: Pending): boolean => {
    const kind = services.get(service);
    const place = kind && placeOf(kind);
    if (place === 'none') return true;
    // Adyen tells no end of a cancel that met no payment. Adyen may refuse a repeat because of its other body. Stripe refuses a
    // card that it has never seen before. PayPal names no order that the buyer has not paid, and Mollie no
    // payment that never came. The search of Checkout.com or of Braintree may be late, so it proves nothing when it finds no payment.
    if (place !== undefined && TELLS_NO_END[verb]?.includes(place) && isWithoutEffect(id)) return true;
    // Adyen's webhooks may name the payment alone. One that is stored late, after a pause of its process, decides nothing then.
    if (place === 'adyen' && isOneOfSeveral(id)) return true;
    // Nobody tells the outcome, or the refusal came before a repeat and so proves nothing.
    const isUntold = ({ key, address, reported, result }: Entry): boolean =>
      key === id && isReceivedOnly(address) && (!reported || result !== 'approved');
    if (entries.some(isUntold)) return true;
    // A person must handle a reversal that the provider of gift cards declines.
    if (giftCards.some(({ key, verb, result }) => key === id && verb === 'unredeem' && result === 'refused'))
      return true;
    // The provider has forgotten the key, if it ever had the key, and knows nothing of the operation. Providers of
    // gift cards have no look-up. The clock that created the operation may have been ahead of ours.
    const ageMs = BEGIN_MS + stage.now + SKEW_MS_MAX - createdAt.getTime();
    // A real provider repeats its own 500 for as long as it remembers the key, and has done nothing.
    const hasDoneNothing = place !== undefined && isReal(place) && isWithoutEffect(id);
    const isUnknown =
      (kind && hasGiftCards(kind)) || hasDoneNothing || entries.every(({ key }) => key !== id);
    const windowMs = place && WINDOWS_MS[place];
    return windowMs !== undefined && ageMs > windowMs && isUnknown;
  };
  return [
    ...pending
      .filter((one) => !ids.has(one.id) && !waits(one))
      .map(({ id, kind }) => wrong(`the ${kind} ${id} is pending and not listed as unresolved`)),
    ...pending
      .filter((one) => !waits(one) && !mayBeUnresolved(one))
      .map(({ id, kind }) => wrong(`the ${kind} ${id} could have been learned`)),
    ...listed
      .filter(({ id }) => pending.every((one) => one.id !== id))
      .map(({ id, kind }) => wrong(`the ${kind} ${id} is listed and not pending`)),
  ];
}

/** Resolves an operation as the provider's books say. */
function say(lane: Lane, apps: readonly App[], stage: Stage, operation: Operation, books: Books): void {
  const all = [...books.entries, ...books.giftCards];
  const done = all.find(({ key, result }) => key === operation.id && result === 'approved');
  const viewer = lane.viewers.find(({ merchantAccountId: id }) => id === operation.merchantAccountId);
  const process = stage.random.int(0, PROCESSES - 1);
  const input = {
    outcome: done ? 'succeeded' : 'failed',
    reason: 'The books of the provider',
    paymentServiceReference: done?.id ?? null,
  };
  const run = async (): Promise<void> => {
    try {
      if (!viewer) throw new Error('The operation is of no merchant account.');
      const answer = await resolveOperation(apps[process] as App, viewer, operation.id, input);
      note(stage, 'person', `hears ${answer.ok ? answer.value.operation.status : answer.refusals[0].kind}`);
    } catch (error) {
      if (!isInjected(error)) stage.surprises.push(`resolve threw: ${String(error)}`);
    }
  };
  begin(stage, process, `resolve ${operation.id} as ${input.outcome}`, run);
}
