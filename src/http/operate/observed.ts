/** An answered operation or a started subscription. */
export type Observed = {
  /** `invalid`: the request contained no valid operation. */
  readonly kind: 'query' | 'mutation' | 'subscription' | 'invalid';
  readonly transport: 'http' | 'websocket';
  /** The name of the operation, as the caller chose it. Null without one. */
  readonly name: string | null;
  /** The merchant account of the caller. */
  readonly account: string;
  readonly requestId: string;
  /** True when the answer has errors. A refusal in `userErrors` is no error. */
  readonly failed: boolean;
  readonly durationMs: number;
};

export type Observe = (operation: Observed) => void;

/** Ignores every observation. */
export const observeNothing: Observe = () => undefined;

/** Tells each observation to both. */
export const observeBy =
  (one: Observe, other: Observe): Observe =>
  (operation) => {
    one(operation);
    other(operation);
  };

/** The paths of probes, which come every few seconds. */
export const PROBES: ReadonlySet<string> = new Set(['/health', '/ready', '/metrics']);

const NAME_MAX = 100;

/** The name of an operation is the caller's own, and digits may be in it. A long run of them could be a card number. */
export const shownName = (name: string | null): string | null =>
  name === null ? null : name.slice(0, NAME_MAX).replaceAll(/\d(?:_*\d){5,}/g, '…');
