/**
 * What only the person who runs the service can mend. The message is one or two sentences for that person: what is
 * wrong and what to do. The command line prints it without a stack and ends with a code other than 0.
 */
export class OperatorError extends Error {}
