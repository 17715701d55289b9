/** An event about one object, with the parts that notices need. */
export type EventOf<Subject> = {
  readonly id: string;
  /** Null for an object that was read, and whose changes have no time. */
  readonly occurredAt: Date | null;
  readonly object: Subject;
  /** The values before the event, of the fields that the event changed. Null if the event names none. */
  readonly previous: Readonly<Record<string, unknown>> | null;
  /** The status before the event, if the event names one. */
  readonly previousStatus: unknown;
};
