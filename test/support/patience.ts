// oxlint-disable-next-line no-restricted-properties -- the variable that gives tests more time
const { CI } = process.env;

/** The factor for every limit of time. Machines of CI can be slow for minutes. */
export const PATIENCE = CI ? 3 : 1;
