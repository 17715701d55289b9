/** A committed change, from the feed of a merchant account. */
export type FeedEvent = {
  readonly id: string;
  /** For example `transaction.captured`. */
  readonly name: string;
  /** 1, 2, 3 and so on for each merchant account, with no gap unless `types` leaves events out. */
  readonly sequence: number;
  /** Behind this event. Store it with what the event made you do, and give it as `after` when you start again. */
  readonly cursor: string;
  readonly target: { readonly type: string; readonly id: string };
  /** The JSON text that webhooks carry, byte for byte. */
  readonly payload: string;
  /** ISO 8601. */
  readonly createdAt: string;
};

/** What is asked for; `selection` are more fields of the schema's type `Event`. */
export const eventsDocument = (selection: string): string =>
  `subscription ($after: String, $types: [String!]) {
  events(after: $after, types: $types) { id name sequence cursor target { type id } payload createdAt ${selection} }
}`;

/** Asks where the feed ends now. */
export const HEAD_DOCUMENT = '{ events(first: 1) { head } }';
