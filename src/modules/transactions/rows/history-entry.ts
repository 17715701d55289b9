import type { Actor } from '../../../platform/database/acting.ts';

/** An entry in a transaction's history. The change itself writes the entry. An entry never changes. */
export type HistoryEntry = {
  readonly id: string;
  readonly transactionId: string;
  readonly name: string;
  /** The known details, in the provider's and the specification's snake_case names. */
  readonly context: Readonly<Record<string, unknown>>;
  /** The cause of the change. Null for an entry from before the audit log. */
  readonly actor: Actor | null;
  readonly createdAt: Date;
};
