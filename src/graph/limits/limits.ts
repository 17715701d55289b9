/** Every limit of an operation, in one place. */
export const LIMITS = {
  /** Words and signs of a document. The parser's `maxTokens`. */
  tokens: 1_000,
  /** Errors of one validation that are listed. The validator's `maxErrors`. */
  validationErrors: 5,
  /** Fields inside fields. */
  depth: 10,
  /** Names given to fields, `__typename` included, wherever they are written. */
  aliases: 15,
  /** Directives, wherever they are written. */
  directives: 20,
  /** Fields that start the operation. */
  rootFields: 10,
  /**
   * Objects that an answer can hold: a list counts as often as its `first` or `last` says, or `listSize` times.
   * Scalars are not counted: an object has a bounded number of them.
   */
  objects: 5_000,
  /** Places that answer objects after fragments are merged, whatever the size of their lists. */
  places: 1_000,
  /** What a list without `first` and `last` counts. */
  listSize: 20,
  /** Elements of one list in the input. */
  inputList: 250,
  /** Lists and objects inside each other in the input. */
  inputDepth: 10,
} as const;
