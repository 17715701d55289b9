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

/** The services that a rule compares. Each payment keeps the comparison. */
export const COMPARED_MAX = 10;

/** The prices of a rule by cost. */
export const PRICES_MAX = 100;

/** The oldest attempts that a rule may count. Older ones say little about today. */
export const HOURS_MAX = 720;

/** The different periods of a version's rules by success. The figures count each apart. */
export const PERIODS_MAX = 5;

/** The largest part of the payments that may try other services, in percent. */
export const KEPT_MAX = 50;

/** The most cases that a rule may ask for. */
export const CASES_MAX = 100_000;

export const WEIGHT_MAX = 10_000;
