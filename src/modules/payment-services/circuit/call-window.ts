/** The calls of the last minute, in slots. The slots are in no order. */
export type CallWindow = readonly Slot[];

type Slot = { readonly slot: number; readonly calls: number; readonly failures: number };

/** The calls in a window, and the technical failures among them. */
export type CallCounts = { readonly calls: number; readonly failures: number };

const SLOT_MS = 5_000;
const SLOTS = 12;

/** Counts a call at a moment. Drops the slots that are older than a minute, and those of a clock that was set back since. */
export function countCall(window: CallWindow, { failed, now }: { failed: boolean; now: Date }): CallWindow {
  const slot = slotAt(now);
  const kept = freshOf(window, slot);
  const before = kept.find((each) => each.slot === slot) ?? { calls: 0, failures: 0 };
  const counted = { slot, calls: before.calls + 1, failures: before.failures + (failed ? 1 : 0) };
  return [...kept.filter((each) => each.slot !== slot), counted];
}

/** Returns the counts of the last minute. The current slot of five seconds is not full yet. */
export function countsAt(window: CallWindow, now: Date): CallCounts {
  const kept = freshOf(window, slotAt(now));
  return {
    calls: kept.reduce((sum, { calls }) => sum + calls, 0),
    failures: kept.reduce((sum, { failures }) => sum + failures, 0),
  };
}

/** The share of failures, in percent, from which a circuit opens, and the fewest calls for a decision. */
export type Threshold = { readonly failurePercent: number; readonly callsMin: number };

/** True when the counts pass the threshold. */
export const passes = ({ calls, failures }: CallCounts, { failurePercent, callsMin }: Threshold): boolean =>
  calls >= callsMin && failures > 0 && failures * 100 >= calls * failurePercent;

const slotAt = (now: Date): number => Math.floor(now.getTime() / SLOT_MS);

const freshOf = (window: CallWindow, now: number): CallWindow =>
  window.filter(({ slot }) => slot > now - SLOTS && slot <= now);
