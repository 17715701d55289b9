/** An event about one object, with the parts that notices need. */
export type EventOf<Subject> = {
  readonly id: string;
  /** Null for an object that was read, and whose changes have no time. */
  readonly occurredAt: Date | null;
  readonly object: Subject;
  /** The status before the event, if the event names one. */
  readonly previousStatus: unknown;
};
