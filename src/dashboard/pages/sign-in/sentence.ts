import { SignInError } from '../../app/session.ts';
import { texts } from '../../texts/texts.ts';

/** Returns the sentence of the server about an error, or says that the server does not answer. */
export const sentenceOf = (error: unknown): string =>
  error instanceof SignInError ? error.message : texts.error.unreachable;
