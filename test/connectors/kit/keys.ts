/** A request under a key, with its answer once there is one. */
export type Keyed<Request, Answer> = {
  readonly request: Request;
  readonly untilMs: number;
  answer: Answer | null;
};

/** Keeps the answers under the idempotency keys of an account, each for the provider's time. */
export function createKeyBook<Request, Answer>(now: () => Date) {
  const entries = new Map<string, Keyed<Request, Answer>>();
  return {
    /** Begins a request. Returns an earlier request under the key whose time has not ended, or null. */
    begin: (key: string, request: Request, lifeMs: number): Keyed<Request, Answer> | null => {
      const at = now().getTime();
      const entry = entries.get(key);
      if (entry && at < entry.untilMs) return entry;
      entries.set(key, { request, untilMs: at + lifeMs, answer: null });
      return null;
    },
    keep: (key: string, answer: Answer): void => {
      const entry = entries.get(key);
      if (entry) entry.answer = answer;
    },
    /** Forgets a request whose result the provider does not keep. */
    forget: (key: string): void => void entries.delete(key),
  };
}
