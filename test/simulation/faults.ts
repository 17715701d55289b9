/** Faults of the request: the provider does nothing, or not yet. */
const THERE = [
  'request lost',
  'connection refused',
  '503 without the work',
  'late: work after our deadline',
] as const;

/** Faults of the answer: the provider has done the work. */
const BACK = [
  'answer lost',
  'late: answer after our deadline',
  '500 after the work',
  'nonsense after the work',
  'approval of other money',
  'request arrives again later',
] as const;

/** The possible faults of a call to a provider. */
export type Fault = (typeof THERE)[number] | (typeof BACK)[number];

export const FAULTS: readonly Fault[] = [...THERE, ...BACK];

/** The faults of one history: all kinds, or always the same kind. */
export const FAULT_MOODS: readonly (readonly Fault[])[] = [FAULTS, FAULTS, THERE, BACK];

export const ON_THE_WAY_THERE: readonly Fault[] = THERE;

/** Faults that always leave the outcome of a request unknown. */
export const WITHOUT_ANSWER: readonly Fault[] = FAULTS.filter(
  (fault) => fault !== 'connection refused' && fault !== 'request arrives again later',
);
