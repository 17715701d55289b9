/** On the way there: the provider does nothing, or not yet. */
const THERE = [
  'request lost',
  'connection refused',
  '503 without the work',
  'late: work after our deadline',
] as const;

/** On the way back: the provider has done it. */
const BACK = [
  'answer lost',
  'late: answer after our deadline',
  '500 after the work',
  'nonsense after the work',
  'approval of other money',
  'request arrives again later',
] as const;

/** What can go wrong with a call of a provider. */
export type Fault = (typeof THERE)[number] | (typeof BACK)[number];

export const FAULTS: readonly Fault[] = [...THERE, ...BACK];

/** What goes wrong in one history: anything, or always the same way. */
export const FAULT_MOODS: readonly (readonly Fault[])[] = [FAULTS, FAULTS, THERE, BACK];

export const ON_THE_WAY_THERE: readonly Fault[] = THERE;
