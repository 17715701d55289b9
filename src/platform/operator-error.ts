/**
 * An error that only the operator can correct. The message says in one or two sentences what is wrong and what to do.
 * The command line prints it without a stack, and ends with a code other than 0.
 */
export class OperatorError extends Error {}
