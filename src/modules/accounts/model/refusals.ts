/** A value that must be unique and that another record already has. */
export type DuplicateRecord = {
  readonly kind: 'DuplicateRecord';
  readonly path: readonly string[];
  readonly message: string;
  /** The record with the value. */
  readonly resourceId: string;
};

/** The viewer lacks the permission, independent of the input. */
export type Forbidden = { readonly kind: 'Forbidden'; readonly message: string };
