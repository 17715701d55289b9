import { useState } from 'react';
import { useToast, type ToastTone } from '../../design/toast.tsx';

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

/** The sentence after an act, in its colour. A plain sentence is a good one. */
export type Said = string | readonly [tone: ToastTone, text: string];

/** The sentence after an act, or a function of its result. */
export type Saying<Result> = Said | ((result: Result) => Said | undefined) | undefined;

type SaidAct = Pick<Act, 'isRunning' | 'error'> & {
  readonly run: <Result>(
    act: (idempotencyKey: string) => Promise<Result>,
    said?: Saying<Result>,
    done?: (result: Result) => void,
  ) => void;
};

/** Carries out acts, says their success, and then calls `changed`. */
export function useSaidAct(changed: () => void = () => undefined): SaidAct {
  const toast = useToast();
  const { run, ...state } = useAct();
  return {
    ...state,
    run: (act, said, done) =>
      run(act, (result) => {
        const sentence = typeof said === 'function' ? said(result) : said;
        if (sentence !== undefined)
          toast(...(typeof sentence === 'string' ? (['good', sentence] as const) : sentence));
        changed();
        done?.(result);
      }),
  };
}
