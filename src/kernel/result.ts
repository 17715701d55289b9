/** What an operation answers: a value, or the refusals that stopped it before anything was changed. */
export type Result<Value, Refusal> = Ok<Value> | Refused<Refusal>;

export type Ok<Value> = { readonly ok: true; readonly value: Value };
export type Refused<Refusal> = { readonly ok: false; readonly refusals: readonly [Refusal, ...Refusal[]] };

export const ok = <Value>(value: Value): Ok<Value> => ({ ok: true, value });

/** At least one refusal; several when several input values are wrong at once. */
export const refuse = <Refusal>(first: Refusal, ...rest: readonly Refusal[]): Refused<Refusal> => ({
  ok: false,
  refusals: [first, ...rest],
});

/** Closes a switch over a union: a member that is not handled does not compile. */
export function unreachable(value: never): never {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`);
}
