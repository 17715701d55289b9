import type { Violation } from './judge.ts';
import type { Kind } from './real/plan.ts';
import type { Spoil } from './spoil.ts';

/** A possible programming mistake that the histories must reveal. */
export type Bug = {
  readonly name: string;
  /** The violation that reveals the mistake. */
  readonly shows: Violation['kind'];
  /**
   * A race in the code that the database's constraints stop, or make rarer. They stop a second booking, but no other outcome that comes
   * later. The hunt drops the constraints.
   */
  readonly race?: 'stopped' | 'rarer';
  /** A seed that reveals the mistake early, to save time. The default is 1. */
  readonly seed?: number;
  /** The first history of the hunt, shortly before one that reveals the mistake, to save time. The default is 0. */
  readonly from?: number;
  /** True if only histories with a hand at the provider are played, and `maybe` if all are. By default no such history is. */
  readonly byHand?: true | 'maybe';
  /** The providers of the histories. The default is the sandbox's. */
  readonly kind?: Kind;
  /** Creates the mistake anew for each run. */
  readonly spoil: () => Spoil;
};
