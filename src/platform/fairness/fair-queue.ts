/** Work that waits, in one queue for each owner. */
export type FairQueue<Work> = {
  /** Adds work behind the other work of the owner, or before the first work that the new one may pass. */
  add(owner: string, work: Work, mayPass?: (other: Work) => boolean): void;
  /** Takes the oldest work of the owner who used least, among the owners who may go. Null if no such work waits. */
  take(mayGo?: (owner: string) => boolean): { readonly owner: string; readonly work: Work } | null;
  /** Counts a use of the owner. A negative amount corrects an estimate. */
  charge(owner: string, amount: number): void;
  /** Counts the begin of a use without waiting. The use of a lone owner gives the others no credit. */
  pass(owner: string, amount: number): void;
  /** Removes work that waits no longer. Returns false for work that does not wait. */
  remove(owner: string, work: Work): boolean;
  /** True while work of the owner waits. */
  has(owner: string): boolean;
  /** Returns the work of the owner that waits longest, among the works that count. */
  oldest(owner: string, counts?: (work: Work) => boolean): Work | undefined;
  /** The number of works that wait. */
  readonly size: number;
};

/** Forgetting owners looks at all of them, so it waits for this number. */
const OWNERS_MIN = 1_000;

/**
 * Creates a fair queue: start-time fair queueing (Goyal, Vin, Cheng 1996).
 *
 * A clock shows the use of the last owner who was served. Newcomers start at that clock. So a newcomer waits behind at most one
 * work of each owner, and an idle owner saves nothing up.
 */
export function createFairQueue<Work>(): FairQueue<Work> {
  const used = new Map<string, number>();
  const waiting = new Map<string, Work[]>();
  let clock = 0;
  let size = 0;
  let forgetAt = OWNERS_MIN;
  const usedBy = (owner: string): number => used.get(owner) ?? clock;
  const forget = (): void => {
    for (const [owner, amount] of used) if (amount <= clock && !waiting.has(owner)) used.delete(owner);
    forgetAt = Math.max(OWNERS_MIN, used.size * 2);
  };
  const charge = (owner: string, amount: number): void => {
    used.set(owner, usedBy(owner) + amount);
    if (used.size > forgetAt) forget();
  };
  const leave = (owner: string, works: readonly Work[]): void => {
    size -= 1;
    if (works.length === 0) waiting.delete(owner);
  };
  return {
    add: (owner, work, mayPass) => {
      const works = waiting.get(owner);
      size += 1;
      if (works) return insert(works, work, mayPass);
      waiting.set(owner, [work]);
      used.set(owner, Math.max(usedBy(owner), clock));
    },
    take: (mayGo = () => true) => {
      let next: string | null = null;
      for (const owner of waiting.keys())
        if ((next === null || usedBy(owner) < usedBy(next)) && mayGo(owner)) next = owner;
      const works = next === null ? undefined : waiting.get(next);
      if (next === null || !works) return null;
      clock = Math.max(clock, usedBy(next));
      const [work] = works.splice(0, 1) as [Work];
      leave(next, works);
      return { owner: next, work };
    },
    charge,
    pass: (owner, amount) => {
      clock = Math.max(clock, usedBy(owner));
      used.set(owner, clock);
      charge(owner, amount);
    },
    remove: (owner, work) => {
      const works = waiting.get(owner) ?? [];
      const at = works.indexOf(work);
      if (at === -1) return false;
      works.splice(at, 1);
      leave(owner, works);
      return true;
    },
    has: (owner) => waiting.has(owner),
    oldest: (owner, counts = () => true) => waiting.get(owner)?.find(counts),
    get size() {
      return size;
    },
  };
}

function insert<Work>(works: Work[], work: Work, mayPass: ((other: Work) => boolean) | undefined): void {
  const at = mayPass ? works.findIndex(mayPass) : -1;
  works.splice(at === -1 ? works.length : at, 0, work);
}
