import { useCallback, useEffect, useRef, useState } from 'react';

/** The state of a read. `data` stays while newer data is on its way. */
export type Read<Data> = {
  readonly data: Data | null;
  readonly error: unknown;
  readonly isLoading: boolean;
  /** Reads again. Several calls during a read cause one further read. */
  readonly reload: () => void;
};

/**
 * Reads when the key changes, and ends the read of the former key. The former data stays until new data comes, unless `forget`
 * says that another key is another thing.
 */
export function useRead<Data>(
  key: string,
  read: (signal: AbortSignal) => Promise<Data>,
  { forget = false } = {},
): Read<Data> {
  const [state, setState] = useState<State<Data>>({ key, data: null, error: null, isLoading: true });
  const latest = useRef(read);
  latest.current = read;
  const running = useRef<{ key: string; again: boolean } | null>(null);

  const run = useCallback((of: string, signal: AbortSignal) => {
    const mine = { key: of, again: false };
    running.current = mine;
    const settle = (part: Partial<State<Data>>): void => {
      if (signal.aborted) return;
      running.current = null;
      setState((before) => ({ ...before, ...part, key: of, isLoading: false }));
      if (mine.again) run(of, signal);
    };
    latest.current(signal).then(
      (data) => settle({ data, error: null }),
      (error: unknown) => settle({ error }),
    );
  }, []);

  const aborter = useRef<AbortController | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    aborter.current = abort;
    setState((before) => ({ ...before, isLoading: true }));
    run(key, abort.signal);
    return () => abort.abort();
  }, [key, run]);

  const reload = useCallback(() => {
    const signal = aborter.current?.signal;
    if (!signal || signal.aborted) return;
    if (running.current) running.current.again = true;
    else run(key, signal);
  }, [key, run]);

  const isOther = forget && state.key !== key;
  return { ...(isOther ? NOTHING : state), isLoading: isOther || state.isLoading, reload };
}

type State<Data> = {
  readonly key: string;
  readonly data: Data | null;
  readonly error: unknown;
  readonly isLoading: boolean;
};

const NOTHING = { data: null, error: null } as const;
