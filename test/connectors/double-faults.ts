/**
 * The fault of one call:
 *
 * - `lose_request`, `lose_answer`: the connection ends before the work, or after the work.
 * - `hang`: the work is done, and the answer waits for `release`. The key is in use until then.
 * - `error_before_work`, `error_after_work`: the provider's server error.
 * - `rate_limited`, `rate_limited_with_hint`: 429 before the work, the second one with `Retry-After`.
 * - `maintenance`: 503 with a page before the work.
 * - `truncated`: the work is done, and the answer ends in its middle.
 * - `unknown_word`, `other_amount`, `other_currency`: the work is done, and the answer says something else.
 * - `unauthorized`, `forbidden`: 401 or 403 before the work.
 */
export type DoubleFault =
  | 'lose_request'
  | 'lose_answer'
  | 'hang'
  | 'error_before_work'
  | 'error_after_work'
  | 'rate_limited'
  | 'rate_limited_with_hint'
  | 'maintenance'
  | 'truncated'
  | 'unknown_word'
  | 'other_amount'
  | 'other_currency'
  | 'unauthorized'
  | 'forbidden';

/** The faults of a line. With `hang_before_work`, the work and the answer wait for `release`. */
export type LineFault = DoubleFault | 'hang_before_work';

/**
 * The faults of an account with locks and keys that expire:
 *
 * - `lock_timeout`: the provider locks an object for another request, and does nothing.
 * - `expired_token`: the provider refuses a token or key that has expired.
 */
export type AccountFault = DoubleFault | 'lock_timeout' | 'expired_token';

/** The calls that a fault is for, such as `POST /v1/refunds`. Matches the beginning of the method and the path. */
export type FaultTarget = string | RegExp;

/** The faults that a test has ordered. */
export type Faults<Fault extends LineFault | AccountFault> = {
  /** Orders faults for the next calls, one each. With a target, only its calls use a fault up. */
  readonly failNext: (faults: readonly Fault[], target?: FaultTarget) => void;
  /** Cancels the faults that are left. */
  readonly behave: () => void;
  /** Takes the fault of a call, or null. */
  take(request: { readonly method: string; readonly path: string }): Fault | null;
  /** Resolves when `release` is called next. */
  released(): Promise<void>;
  /** Lets all hanging calls answer. */
  readonly release: () => void;
};

/** Makes an empty list of faults. `usual` are the calls of a fault without a target, by default all. */
export function createFaults<Fault extends LineFault | AccountFault>(usual: FaultTarget = ''): Faults<Fault> {
  const ordered: { readonly fault: Fault; readonly target: FaultTarget }[] = [];
  const waiting: (() => void)[] = [];
  return {
    failNext: (faults, target = usual) => void ordered.push(...faults.map((fault) => ({ fault, target }))),
    behave: () => void ordered.splice(0),
    take: ({ method, path }) => {
      const call = `${method} ${path}`;
      const index = ordered.findIndex(({ target }) =>
        typeof target === 'string' ? call.startsWith(target) : target.test(call),
      );
      return index < 0 ? null : (ordered.splice(index, 1)[0]?.fault ?? null);
    },
    released: () => new Promise((resolve) => void waiting.push(resolve)),
    release: () => waiting.splice(0).forEach((go) => go()),
  };
}
