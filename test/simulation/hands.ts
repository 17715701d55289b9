import type { App } from '../../src/app.ts';
import {
  listUnresolvedOperations,
  resolveOperation,
  type Operation,
} from '../../src/modules/transactions/index.ts';
import type { Books } from './books.ts';
import { isInjected, runTurns } from './director.ts';
import { BEGIN_MS } from './gates.ts';
import { hasGiftCards, placeOf, SKEW_MS_MAX, WINDOW_MS } from './house.ts';
import type { Violation } from './judge.ts';
import type { Lane } from './lane.ts';
import { PROCESSES } from './plan.ts';
import { readProgress, type Pending } from './progress.ts';
import { advanceTo, begin, note, type Stage } from './stage.ts';
import { count } from './tally.ts';
import { calmed } from './weather.ts';

/** What a person sees and does when calm has left something in doubt. */
export type Hands = { readonly violations: readonly Violation[]; readonly resolved: ReadonlySet<string> };

/** Resolvers die too, and what one of them has begun is left alone while it may be going on. */
const WAIT_MS = 3_600_000;
const ROUNDS = 4;

/**
 * Lists what is in doubt, which must be all that is pending and nothing that could have been learned, and resolves it by
 * the books of the providers, from several processes at once, some of which die.
 */
export async function resolveByHand(
  lane: Lane,
  apps: readonly App[],
  stage: Stage,
  books: Books,
): Promise<Hands> {
  const resolved = new Set<string>();
  const { pending } = await readProgress(lane, []);
  const listed = await listAll(lane, apps);
  const violations = judgeList(lane, pending, listed, books, stage);
  const harsh = { ...stage.weather, crash: 0.05, disconnect: 0.02, overlap: 0.3 };
  for (let round = 1; round <= ROUNDS; round += 1) {
    const left = round === 1 ? listed : await listAll(lane, apps);
    if (left.length === 0) break;
    stage.weather = round < ROUNDS - 1 ? harsh : calmed(stage.weather);
    advanceTo(stage, stage.now + WAIT_MS);
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

function judgeList(
  { services }: Lane,
  pending: readonly Pending[],
  listed: readonly Operation[],
  { entries, giftCards }: Books,
  stage: Stage,
): readonly Violation[] {
  const wrong = (message: string): Violation => ({ kind: 'pending', message });
  const ids = new Set(listed.map(({ id }) => id));
  const inDoubt = new Set(listed.map(({ transactionId }) => transactionId));
  // What was never sent is in no doubt: it waits for a gift card that is.
  const waits = ({ unsent, transaction_id: of }: Pending): boolean => unsent && inDoubt.has(of);
  const mayBeInDoubt = ({ id, payment_service_id: service, created_at: createdAt }: Pending): boolean => {
    const kind = services.get(service);
    const place = kind && placeOf(kind);
    if (place === 'none') return true;
    // What a provider of gift cards refuses to give back, a person has to see to.
    if (giftCards.some(({ key, verb, result }) => key === id && verb === 'unredeem' && result === 'refused'))
      return true;
    // The provider has forgotten the key, if it ever had it, and knows nothing of the operation; those of gift cards cannot
    // be asked. The clock that made the operation may have been ahead of ours.
    const ageMs = BEGIN_MS + stage.now + SKEW_MS_MAX - createdAt.getTime();
    const isUnknown = (kind && hasGiftCards(kind)) || entries.every(({ key }) => key !== id);
    return place === 'keys' && ageMs > WINDOW_MS && isUnknown;
  };
  return [
    ...pending
      .filter((one) => !ids.has(one.id) && !waits(one))
      .map(({ id, kind }) => wrong(`the ${kind} ${id} is pending and nobody is told`)),
    ...pending
      .filter((one) => !waits(one) && !mayBeInDoubt(one))
      .map(({ id, kind }) => wrong(`the ${kind} ${id} could have been learned`)),
    ...listed
      .filter(({ id }) => pending.every((one) => one.id !== id))
      .map(({ id, kind }) => wrong(`the ${kind} ${id} is listed and not pending`)),
  ];
}

/** Says of an operation what the provider's books say. */
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
