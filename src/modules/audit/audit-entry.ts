import type { Actor } from '../../platform/database/acting.ts';

/** One change of a record, and its actor. */
export type AuditEntry = {
  readonly id: string;
  /** The noun and the change, for example `buyer.updated` or `capture.requested`. */
  readonly action: string;
  readonly target: { readonly type: string; readonly id: string };
  readonly actor: Actor;
  /** The changed fields. Null before a creation. */
  readonly before: Fields | null;
  /** The same fields afterwards. Null after a deletion. */
  readonly after: Fields | null;
  readonly createdAt: Date;
  /** The position in the chain of the merchant account. Null until the entry is chained. */
  readonly sequence: bigint | null;
  readonly hash: string | null;
};

export type Fields = Readonly<Record<string, unknown>>;

/** The filter of a list. An absent value filters nothing. */
export type AuditFilter = {
  /** The id of the actor: of a key pair or a service, or the name of the work. */
  readonly actor?: string | null | undefined;
  /** The subject of the actor, complete, in upper or lower case. */
  readonly actorSubject?: string | null | undefined;
  /** An action, or all actions of a noun, such as `buyer.*`. */
  readonly action?: string | null | undefined;
  readonly targetId?: string | null | undefined;
  readonly from?: Date | null | undefined;
  readonly to?: Date | null | undefined;
};
