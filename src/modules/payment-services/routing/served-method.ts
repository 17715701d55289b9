/** The methods of payments that services of the method `card` take beside their own. */
export const CARD_METHODS = ['applepay', 'googlepay', 'network_token'] as const;

/** Returns the method of the payment services that take a payment of a method. */
export const servedMethod = (method: string): string =>
  CARD_METHODS.some((each) => each === method) ? 'card' : method;

/** Lists the methods of the payments that services of a method take. */
export const methodsServedBy = (method: string): readonly string[] =>
  method === 'card' ? ['card', ...CARD_METHODS] : [method];
