/** A committed change, from the feed of a merchant account. */
export type FeedEvent = {
  readonly id: string;
  /** For example `transaction.captured`. */
  readonly name: string;
  /** 1, 2, 3 and so on for each merchant account. It has a gap only if `types` omits events. */
  readonly sequence: number;
  /** The place after this event. Store it with the result of your work. Pass it as `after` at the next start. */
  readonly cursor: string;
  readonly target: { readonly type: string; readonly id: string };
  /** The JSON text of webhooks, byte for byte. `parsePayload` returns its typed form. */
  readonly payload: string;
  /** ISO 8601. */
  readonly createdAt: string;
};

/** Returns the subscription document. `selection` holds further fields of the schema's type `Event`. */
export const eventsDocument = (selection: string): string =>
  `subscription ($after: String, $types: [String!]) {
  events(after: $after, types: $types) { id name sequence cursor target { type id } payload createdAt ${selection} }
}`;

/** The query for the end of the feed. */
export const HEAD_DOCUMENT = '{ events(first: 1) { head } }';
