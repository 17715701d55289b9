import { setFailpoint } from '../../src/platform/failpoint.ts';

/** A caller that waits at a failpoint. */
export type Held = {
  /** Resolves when a caller has reached the failpoint. */
  readonly reached: Promise<void>;
  /** Releases the caller and every later caller. */
  go(): void;
};

/** Stops each caller at a failpoint until `go` is called. */
export function holdAt(point: string): Held {
  const arrival = Promise.withResolvers<undefined>();
  const leave = Promise.withResolvers<undefined>();
  const remove = setFailpoint(point, () => {
    arrival.resolve(undefined);
    return leave.promise;
  });
  return {
    reached: arrival.promise,
    go: () => {
      remove();
      leave.resolve(undefined);
    },
  };
}

/** Stops the first caller at a failpoint. Later callers pass. */
export function holdFirstAt(point: string): Held {
  const arrival = Promise.withResolvers<undefined>();
  const leave = Promise.withResolvers<undefined>();
  const remove = setFailpoint(point, () => {
    remove();
    arrival.resolve(undefined);
    return leave.promise;
  });
  return { reached: arrival.promise, go: () => leave.resolve(undefined) };
}
