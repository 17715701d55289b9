import { isAccount } from './owner.ts';

/** The latest work of merchant accounts. */
export type Activity = {
  note(owner: string, nowMs: number): void;
  /** True while a merchant account other than this owner is active. */
  isBesideOthers(owner: string, nowMs: number): boolean;
};

/** A payment pauses between its statements. For this time after a statement, its account is still active. */
const ACTIVE_MS = 250;

/** Creates a memory of the last two active accounts. One of them is always another one than the owner. */
export function createActivity(): Activity {
  let latest = { owner: '', atMs: -Infinity };
  let former = latest;
  return {
    note: (owner, nowMs) => {
      if (!isAccount(owner)) return;
      if (owner !== latest.owner) former = latest;
      latest = { owner, atMs: nowMs };
    },
    isBesideOthers: (owner, nowMs) => nowMs - (latest.owner === owner ? former : latest).atMs <= ACTIVE_MS,
  };
}
