/** The answer of a field. In the generated types, a field with arguments is a function. */
type AnswerOf<F> = F extends (args: never) => infer R ? R : F;

/** An object, a member of a union, or an implementation of an interface. */
type Composite = { readonly __typename: string };

/** The objects in a value: its items, if it is a list. Never for a value without a selection. */
type ObjectsIn<V> = V extends readonly (infer I)[] ? ObjectsIn<I> : V extends Composite ? V : never;

/**
 * The selection of fields of a type. A scalar is `true`. An object is a selection, or `[args, selection]` if it takes arguments.
 * A scalar with arguments is `[args]`. `on` selects fields of one type of an interface or a union.
 */
export type Selection<T extends Composite> = {
  readonly [K in Extract<keyof T, string>]?: FieldSelection<T[K]> | false | undefined;
} & ([T] extends [Single<T>] ? unknown : { readonly on?: Fragments<T> });

type Fragments<T extends Composite> = {
  readonly [N in T['__typename']]?: Selection<Extract<T, { readonly __typename: N }>>;
};

/** Distributes over a union, so that only a type of one object extends its own result. */
type Single<T extends Composite, U = T> = T extends unknown ? ([U] extends [T] ? T : never) : never;

type FieldSelection<F> = F extends (args: infer A) => infer R
  ? [ObjectsIn<R>] extends [never]
    ? readonly [A] | Optionally<A, true>
    : readonly [A, Selection<ObjectsIn<R>>] | Optionally<A, Selection<ObjectsIn<R>>>
  : [ObjectsIn<F>] extends [never]
    ? true
    : Selection<ObjectsIn<F>>;

/** Arguments may be left out if none is required. */
type Optionally<A, S> = object extends A ? S : never;

/** The answer to a selection. */
export type Answer<V, S> = V extends readonly (infer I)[]
  ? readonly Answer<I, S>[]
  : V extends Composite
    ? Flat<Fields<V, S> & OnType<V, S>>
    : V;

type Flat<T> = { readonly [K in keyof T]: T[K] };

type Fields<T, S> = {
  readonly [K in keyof S & keyof T as S[K] extends false | undefined ? never : K]: Answer<
    AnswerOf<T[K]>,
    InnerOf<S[K]>
  >;
};

/** The answer to a selection with `on` always tells its type, so that a caller can branch on it. */
type OnType<T extends Composite, S> = S extends { readonly on: infer O }
  ? Pick<T, '__typename'> & (T['__typename'] extends keyof O ? Fields<T, O[T['__typename']]> : unknown)
  : unknown;

/** The selection of a field, without its arguments. */
type InnerOf<S> = S extends readonly [unknown, infer I] ? I : S;

/** A selection as the client walks through it. */
export type LooseSelection = { readonly [field: string]: unknown };

/** Splits the value of a field into its arguments and its selection. Either may be missing. */
export const partsOf = (value: unknown): readonly [args: Readonly<Record<string, unknown>>, inner: unknown] =>
  Array.isArray(value) ? [value[0] as Readonly<Record<string, unknown>>, value[1]] : [{}, value];
