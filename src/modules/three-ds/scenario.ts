import type { ThreeDSOutcome } from './outcome.ts';

/** A rule of the sandbox: a payment for which all conditions hold is authenticated with this outcome. */
export type ThreeDSScenario = {
  readonly id: string;
  readonly merchantAccountId: string;
  /** 1 for the rule that is asked first; the merchant account's rules count up without a gap. */
  readonly position: number;
  readonly conditions: ThreeDSConditions;
  readonly outcome: ThreeDSOutcome;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** What must hold of a payment, all of it; null asks nothing. At least one is given. */
export type ThreeDSConditions = {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly emailAddress: string | null;
  /** Minor units, of whatever currency. */
  readonly amount: number | null;
  readonly externalIdentifier: string | null;
  readonly cardNumber: CardCondition | null;
};

/** A BIN, or a whole card number as far as it may be kept. */
export type CardCondition = {
  /** 6 to 11 digits; the first six of a whole number. */
  readonly bin: string;
  /** Of a whole number; null with a BIN. */
  readonly lastFour: string | null;
  /** Keyed digest of a whole number, which is itself kept nowhere; null with a BIN. */
  readonly fingerprint: string | null;
};

/** A scenario as the record of an idempotency key holds it: moments as ISO text. */
export type ScenarioJson = Omit<ThreeDSScenario, 'createdAt' | 'updatedAt'> & {
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const toJson = (scenario: ThreeDSScenario): ScenarioJson => ({
  ...scenario,
  createdAt: scenario.createdAt.toISOString(),
  updatedAt: scenario.updatedAt.toISOString(),
});

export const fromJson = (json: ScenarioJson): ThreeDSScenario => ({
  ...json,
  createdAt: new Date(json.createdAt),
  updatedAt: new Date(json.updatedAt),
});

/** The one of an id; null when there is none. The database answers ids in lower case. */
export const withId = (scenarios: readonly ThreeDSScenario[], id: string): ThreeDSScenario | null =>
  scenarios.find((scenario) => scenario.id === id.toLowerCase()) ?? null;
