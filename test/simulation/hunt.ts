import type { Bug } from './bug.ts';
import type { History } from './history.ts';
import type { Violation } from './judge.ts';
import type { Plan } from './plan.ts';
import { run, type Run } from './run.ts';

/** Each bug must be caught within so many histories. */
export const CAUGHT_WITHIN = 2_000;

/** A spoilt history ends its lane, and a new one costs as much as a dozen histories. */
const LANES = 1;

const shows =
  ({ shows: kind }: Bug) =>
  ({ violations }: History): boolean =>
    violations.some((violation) => violation.kind === kind);

/** Only mistakes about operations made elsewhere are hunted in histories with a hand at the provider. */
const wantedBy =
  ({ byHand }: Bug) =>
  ({ acts }: Plan): boolean =>
    byHand === 'maybe' || acts.some(({ kind }) => kind === 'by hand') === (byHand ?? false);

/** The first history that reveals a bug, and the number of played ones. Null means that no history did. */
export type Catch = { readonly history: History; readonly by: Violation; readonly played: number };

/** Plays histories with a seeded bug until one reveals the bug. A race runs without the database's constraints. */
export async function hunt(bug: Bug): Promise<Catch | null> {
  const { from = 0 } = bug;
  const { failures, next } = await run({
    seed: bug.seed ?? 1,
    from,
    until: from + CAUGHT_WITHIN,
    lanes: LANES,
    constraints: bug.race ? 'dropped' : 'kept',
    spoil: bug.spoil(),
    kind: bug.kind ?? 'sandbox',
    wanted: wantedBy(bug),
    enough: shows(bug),
  });
  const history = failures.find(shows(bug));
  const by = history?.violations.find(({ kind }) => kind === bug.shows);
  return history && by ? { history, by, played: next - from } : null;
}

const MONEY: ReadonlySet<Violation['kind']> = new Set(['money', 'ledger']);

/** Plays so many histories with a seeded bug and all constraints. Returns the violations about money. */
export async function playKept(
  bug: Bug,
  histories: number,
): Promise<{ readonly run: Run; readonly wrong: readonly Violation[] }> {
  const { from = 0 } = bug;
  const played = await run({
    seed: bug.seed ?? 1,
    from,
    until: from + histories,
    lanes: LANES,
    spoil: bug.spoil(),
    kind: bug.kind ?? 'sandbox',
    wanted: wantedBy(bug),
    enough: () => false,
  });
  const violations = played.failures.flatMap((history) => history.violations);
  return { run: played, wrong: violations.filter(({ kind }) => MONEY.has(kind)) };
}
