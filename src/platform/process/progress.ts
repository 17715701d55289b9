/** Runs long work and reports its name to the waiting person. Returns the result of the work. */
export type Progress = <Value>(what: string, work: () => Promise<Value>) => Promise<Value>;

/** Runs work without a report. */
export const silentProgress: Progress = (_what, work) => work();
