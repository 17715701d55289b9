/**
 * The version of the payloads that this release writes. It grows when a field goes away, or changes its type or its meaning. A new
 * field, a new event and a new word of an enum leave it as it is. An event keeps the version that it was written in.
 */
export const PAYLOAD_VERSION = 1;

/** The version of stored events that name none. Earlier releases wrote them. */
export const FIRST_VERSION = 1;
