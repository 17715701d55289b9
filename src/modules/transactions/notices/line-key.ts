const PREFIX = 'settlement:';

/** Returns the event key of an entry of a settlement as a notice. `reference`: the provider's id of the entry. */
export const lineKeyOf = (reference: string): string => `${PREFIX}${reference}`;

/** True for the event key of an entry of a settlement. */
export const isLineKey = (eventKey: string): boolean => eventKey.startsWith(PREFIX);
