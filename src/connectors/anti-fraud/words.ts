import { confidential } from '../call.ts';
import { cardless } from '../read-webhook.ts';
import { tidyText } from '../words.ts';
import type { AntiFraudConnector, CheckContext } from './connector.ts';

/** Tidies a third party's words, so that they can be stored and shown: without the service's secrets and without card numbers. */
export function tidierOf(
  connector: Pick<AntiFraudConnector, 'definitions'>,
  context: Pick<CheckContext, 'credentials'>,
): (text: string | null) => string | null {
  const given = confidential(connector, context, {});
  return (text) => (text === null ? null : cardless(tidyText(text, given)));
}
