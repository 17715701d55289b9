/** A limit on the number of sockets or subscriptions of one owner, in this process. */
export type ConnectionLimit = {
  /** Counts one more and returns the function that frees the place. Null if the owner is at the limit. */
  take(owner: string): (() => void) | null;
};

export function createConnectionLimit(perOwner: number): ConnectionLimit {
  const taken = new Map<string, number>();
  return {
    take: (owner) => {
      const before = taken.get(owner) ?? 0;
      if (before >= perOwner) return null;
      taken.set(owner, before + 1);
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        const left = (taken.get(owner) ?? 1) - 1;
        if (left === 0) taken.delete(owner);
        else taken.set(owner, left);
      };
    },
  };
}
