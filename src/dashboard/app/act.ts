import { useState } from 'react';

/** The state of an act that changes something. */
export type Act = {
  readonly isRunning: boolean;
  /** The refusal of the latest run. */
  readonly error: unknown;
  /** Carries the act out, and then calls `done` with its result. A refusal stays in `error`. */
  readonly run: <Result>(
    act: (idempotencyKey: string) => Promise<Result>,
    done: (result: Result) => void,
  ) => void;
};

/**
 * Carries out the act of a dialog or of a button. It has one idempotency key until a run succeeds. A repeated press therefore never
 * does anything twice.
 */
export function useAct(): Act {
  const [key, setKey] = useState(() => crypto.randomUUID());
  const [state, setState] = useState({ isRunning: false, error: null as unknown });
  return {
    ...state,
    run: (act, done) => {
      setState({ isRunning: true, error: null });
      act(key).then(
        (result) => {
          setKey(crypto.randomUUID());
          setState({ isRunning: false, error: null });
          done(result);
        },
        (error: unknown) => setState({ isRunning: false, error }),
      );
    },
  };
}
