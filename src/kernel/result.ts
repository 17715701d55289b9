/** The result of an operation: a value, or the refusals that stopped the operation before it changed anything. */
export type Result<Value, Refusal> = Ok<Value> | Refused<Refusal>;

export type Ok<Value> = { readonly ok: true; readonly value: Value };
export type Refused<Refusal> = { readonly ok: false; readonly refusals: readonly [Refusal, ...Refusal[]] };

export const ok = <Value>(value: Value): Ok<Value> => ({ ok: true, value });

/** Returns at least one refusal. Several wrong input values give several refusals. */
export const refuse = <Refusal>(first: Refusal, ...rest: readonly Refusal[]): Refused<Refusal> => ({
  ok: false,
  refusals: [first, ...rest],
});

/** Closes a switch over a union. An unhandled member does not compile. */
export function unreachable(value: never): never {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`);
}
