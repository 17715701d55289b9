const PREFIX = 'settlement:';

/** Returns the event key of a notice that an entry of a settlement stands for. `reference`: the provider's id of the entry. */
export const lineKeyOf = (reference: string): string => `${PREFIX}${reference}`;

/** True for the event key of an entry of a settlement. */
export const isLineKey = (eventKey: string): boolean => eventKey.startsWith(PREFIX);
