/** Runs work that may take long, telling whoever waits what it is. Answers what the work answers. */
export type Progress = <Value>(what: string, work: () => Promise<Value>) => Promise<Value>;

/** For when nobody watches. */
export const silentProgress: Progress = (_what, work) => work();
