/** Every state and every way out of it: state -> event -> next state. A misspelt target does not compile. */
export type Machine<State extends string, Event extends string> = {
  readonly [From in State]: { readonly [On in Event]?: State };
};

/** Returns the state after an event, or null when this state does not allow the event. */
export function next<State extends string, Event extends string>(
  machine: Machine<State, Event>,
  state: State,
  event: Event,
): State | null {
  return machine[state][event] ?? null;
}
