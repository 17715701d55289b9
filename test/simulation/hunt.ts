import type { Bug } from './bugs.ts';
import type { History } from './history.ts';
import type { Violation } from './judge.ts';
import { run, type Run } from './run.ts';

/** Within so many histories each bug must be caught. */
export const CAUGHT_WITHIN = 2_000;

const LANES = 2;

const shows =
  ({ shows: kind }: Bug) =>
  ({ violations }: History): boolean =>
    violations.some((violation) => violation.kind === kind);

/** How a bug was caught; null when it was not. */
export type Catch = { readonly history: History; readonly by: Violation; readonly played: number };

/** Plays histories with a bug put in until one shows it. A race is given a database whose constraints do not stop it. */
export async function hunt(bug: Bug): Promise<Catch | null> {
  const { failures, next } = await run({
    seed: bug.seed ?? 1,
    from: 0,
    until: CAUGHT_WITHIN,
    lanes: LANES,
    constraints: bug.race ? 'dropped' : 'kept',
    spoil: bug.spoil(),
    enough: shows(bug),
  });
  const history = failures.find(shows(bug));
  const by = history?.violations.find(({ kind }) => kind === bug.shows);
  return history && by ? { history, by, played: next } : null;
}

const MONEY: ReadonlySet<Violation['kind']> = new Set(['money', 'ledger']);

/** Plays so many histories with a bug put in and the constraints of the database kept; the answer has what money is wrong then. */
export async function playKept(
  bug: Bug,
  histories: number,
): Promise<{ readonly run: Run; readonly wrong: readonly Violation[] }> {
  const played = await run({
    seed: bug.seed ?? 1,
    from: 0,
    until: histories,
    lanes: LANES,
    spoil: bug.spoil(),
    enough: () => false,
  });
  const violations = played.failures.flatMap((history) => history.violations);
  return { run: played, wrong: violations.filter(({ kind }) => MONEY.has(kind)) };
}
