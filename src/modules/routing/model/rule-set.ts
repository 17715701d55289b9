import type { RuleSetVersion } from './rule.ts';

/** A named sequence of versions of rules. */
export type RuleSet = {
  readonly merchantAccountId: string;
  readonly id: string;
  readonly name: string;
  /** The number of the latest version. 0 before the first. */
  readonly latestVersion: number;
  readonly createdAt: Date;
  /** The moment of the latest version, or else of the creation. */
  readonly updatedAt: Date;
};

/** A version without its rules, which may be large. */
export type VersionHead = Omit<StoredVersion, 'rules'>;

/** A version as stored. */
export type StoredVersion = RuleSetVersion & {
  readonly merchantAccountId: string;
  readonly note: string | null;
  readonly createdAt: Date;
};

/**
 * Makes a version decide from a moment on, until another activation does. Activations are only added: a rollback activates a
 * former version. The later one of two activations with the same moment counts. An activation that has not begun can be canceled.
 */
export type Activation = {
  readonly merchantAccountId: string;
  readonly id: string;
  /** Null: no rules, so the order of positions decides. A key then follows the merchant account. */
  readonly versionId: string | null;
  /** The key whose payments follow the version. Null: those of the merchant account without rules of their own. */
  readonly apiKeyPairId: string | null;
  readonly activeFrom: Date;
  readonly note: string | null;
  readonly createdAt: Date;
  /** The moment of the cancellation. A canceled activation never decides. */
  readonly canceledAt: Date | null;
};

type Moments = 'createdAt' | 'updatedAt' | 'activeFrom';

/** A record as the record of an idempotency key stores it, with moments as ISO text. */
export type Kept<Stored> = {
  readonly [Field in keyof Stored]: Field extends Moments ? string : Stored[Field];
};
