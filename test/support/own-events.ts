/** The ids of events that tests wrote in place of the service. Their payloads are free. */
export const ownEvents = new Set<string>();
