import type { ThreeDSOutcome } from './outcome.ts';

/** A rule of the sandbox. A payment that meets all conditions is authenticated with this outcome. */
export type ThreeDSScenario = {
  readonly id: string;
  readonly merchantAccountId: string;
  /** 1 for the rule tried first. Positions of a merchant account have no gap. */
  readonly position: number;
  readonly conditions: ThreeDSConditions;
  readonly outcome: ThreeDSOutcome;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** The conditions of a payment, at least one of them given. All must hold, and null always holds. */
export type ThreeDSConditions = {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly emailAddress: string | null;
  /** Minor units, in any currency. */
  readonly amount: number | null;
  readonly externalIdentifier: string | null;
  readonly cardNumber: CardCondition | null;
};

/** A BIN, or the storable part of a whole card number. */
export type CardCondition = {
  /** 6 to 11 digits. For a whole card number, its first six. */
  readonly bin: string;
  /** The last four digits of a whole card number. Null for a BIN. */
  readonly lastFour: string | null;
  /** Keyed digest of a whole card number, which is never stored itself. Null for a BIN. */
  readonly fingerprint: string | null;
};

/** A scenario as the record of an idempotency key stores it, with moments as ISO text. */
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

/** Returns the scenario of an id, or null. The database returns ids in lower case. */
export const withId = (scenarios: readonly ThreeDSScenario[], id: string): ThreeDSScenario | null =>
  scenarios.find((scenario) => scenario.id === id.toLowerCase()) ?? null;
