/** Another record already has a value that must be unique. */
export type DuplicateRecord = {
  readonly kind: 'DuplicateRecord';
  readonly path: readonly string[];
  readonly message: string;
  /** The record that has it. */
  readonly resourceId: string;
};

/** The viewer may not do this, whatever the input. */
export type Forbidden = { readonly kind: 'Forbidden'; readonly message: string };
