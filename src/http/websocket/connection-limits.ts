/** A limit on how many of something one owner has at a time, in this process. */
export type Seats = {
  /** Takes a seat and returns the function that gives it back. Null when the owner has no seat left. */
  take(owner: string): (() => void) | null;
};

export function createSeats(perOwner: number): Seats {
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
