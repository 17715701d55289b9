/** The limits of a version. Each payment may try all rules. */
export const RULES_MAX = 200;

export const CONDITIONS_MAX = 20;

/** The tests of one `anyOf`. */
export const ALTERNATIVES_MAX = 20;

/** The API takes no longer list. An `anyOf` of several lists holds more. */
export const VALUES_MAX = 250;

/** All values of a version. Each process keeps the active version in memory, and reads a version as one document. */
export const VALUES_TOTAL_MAX = 20_000;

/** The characters of all rules of a version as JSON. Texts of values count, so that no list of long texts fills the memory. */
export const CHARACTERS_MAX = 1_000_000;

export const SERVICES_MAX = 20;

export const SHARES_MAX = 10;

export const WEIGHT_MAX = 10_000;
