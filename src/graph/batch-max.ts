/** The most ids in one statement. A longer list of references becomes several statements. */
export const BATCH_MAX = 250;
