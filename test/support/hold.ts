import { setFailpoint } from '../../src/platform/failpoint.ts';

/** Somebody who is held at a point of the sources. */
export type Held = {
  /** Resolves when somebody has come to the point. */
  readonly reached: Promise<void>;
  /** Lets them go on, and lets everybody pass from now on. */
  go(): void;
};

/** Holds everybody who comes to a failpoint until they are let go. */
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

/** Holds the first who comes to a failpoint, and lets everybody after them pass. */
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
