import { ConfigError } from '../platform/process/config.ts';
import { errorCode } from '../platform/error-code.ts';
import { OperatorError } from '../platform/operator-error.ts';

/**
 * Returns the text for an error that ends a command. An error that the operator can correct gives a sentence. A bug of
 * the service gives the stack.
 */
export function explain(error: unknown): string {
  if (error instanceof ConfigError) {
    const mistakes = error.message.split('\n').map((mistake) => `  ${mistake}`);
    return [
      'The configuration is wrong:',
      ...mistakes,
      'See .env.example for the meaning of each setting.',
    ].join('\n');
  }
  if (error instanceof OperatorError) return error.message;
  if (!(error instanceof Error)) return String(error);
  if (errorCode(error) === 'ERR_MODULE_NOT_FOUND' && error.message.includes('generated')) {
    return 'The generated database client is missing. Run "npm ci". To remove the packages for development, run "npm prune --omit=dev" afterwards.';
  }
  if (errorCode(error) === 'ERR_MODULE_NOT_FOUND' && error.message.includes('schema-engine')) {
    return 'This command needs the packages for development. Run "npm ci" without "--omit=dev".';
  }
  return error.stack ?? error.message;
}
