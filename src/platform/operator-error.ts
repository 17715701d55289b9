/**
 * An error that only the operator can correct. The message names the problem and the correction in one or two
 * sentences.
 *
 * The command line prints the message without a stack and exits with a code other than 0.
 */
export class OperatorError extends Error {}
