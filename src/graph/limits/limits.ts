/** Every limit of an operation, in one place. */
export const LIMITS = {
  /** Tokens of a document. The parser's `maxTokens`. */
  tokens: 1_000,
  /** Errors that one validation lists. The validator's `maxErrors`. */
  validationErrors: 5,
  /** Fields inside fields. */
  depth: 10,
  /** Aliases in the whole document, those of `__typename` included. */
  aliases: 15,
  /** Directives in the whole document. */
  directives: 20,
  /** Fields that start the operation. */
  rootFields: 10,
  /**
   * Objects that an answer can hold. A list counts `first` or `last` times, or `listSize` times without them.
   * Scalars do not count, because an object has a bounded number of them.
   */
  objects: 5_000,
  /** Fields that answer objects after fragments are merged. The size of their lists does not count. */
  places: 1_000,
  /** The size that a list without `first` and `last` counts as. */
  listSize: 20,
  /** The part of the limit of a `totalCount` that weighs as much as one object. */
  countedPerObject: 100,
  /** Elements of one list in the input. */
  inputList: 250,
  /** References of one `_entities` of a router. The subgraph reads them in pages. */
  references: 5_000,
  /** Lists and objects inside each other in the input. */
  inputDepth: 10,
} as const;
