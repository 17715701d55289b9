import { secretsOf } from '../calls/call.ts';
import { withoutCardNumbers } from '../reading/notice-words.ts';
import { cleanText } from '../reading/words.ts';
import type { AntiFraudConnector, CheckContext } from './connector.ts';

/** Returns a function that cleans a third party's words of the service's secrets and of card numbers. */
export function cleanerOf(
  connector: Pick<AntiFraudConnector, 'definitions'>,
  context: Pick<CheckContext, 'credentials'>,
): (text: string | null) => string | null {
  const given = secretsOf(connector, context, {});
  return (text) => (text === null ? null : withoutCardNumbers(cleanText(text, given)));
}
