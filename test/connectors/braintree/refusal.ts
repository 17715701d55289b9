import { GraphQLError } from 'graphql';

/** Ends a request with an error of a class. The code says what is wrong. */
export function refuse(errorClass: string, message: string, legacyCode?: string): never {
  throw new GraphQLError(message, { extensions: errorOf(errorClass, legacyCode) });
}

/** Refuses a value of a request. */
export const refuseInvalid = (legacyCode: string, message: string): never =>
  refuse('VALIDATION', message, legacyCode);

/** Refuses an id that the account does not have. */
export const refuseMissing = (type: string): never =>
  refuse('NOT_FOUND', `An object with this ID was not found: ${type}.`);

export const errorOf = (errorClass: string, legacyCode?: string) => ({
  ...{ errorClass, errorType: errorClass === 'VALIDATION' ? 'user_error' : 'developer_error' },
  ...(legacyCode !== undefined && { legacyCode }),
});
