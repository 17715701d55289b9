/** Every state and every way out of it: state -> event -> next state. A misspelt target does not compile. */
export type Machine<State extends string, Event extends string> = {
  readonly [From in State]: { readonly [On in Event]?: State };
};

/** The state after an event, or null when the event is not allowed in this state. */
export function next<State extends string, Event extends string>(
  machine: Machine<State, Event>,
  state: State,
  event: Event,
): State | null {
  return machine[state][event] ?? null;
}
