/** Adds a value to the statement and returns its parameter, such as `$3`. */
export type AddValue = (value: unknown) => string;

/** Returns conditions on the moment of creation and the id, given their columns. */
export type Bounds = (createdAt: string, id: string) => readonly string[];

/** The statement under construction. `account` is the parameter of the merchant account. */
export type Building = {
  readonly value: AddValue;
  readonly account: string;
  readonly bounds: Bounds;
  /** ORDER BY in the list's order for a query of (created_at, id). Empty for a list with another sort. */
  readonly order: string;
};
