import type { Log } from '../../platform/log.ts';
import type { ConnectorLog, LogFields } from '../interface/call-context.ts';
import { withoutCardNumbers } from '../reading/notice-words.ts';
import { cleanText, type Confidential } from '../reading/words.ts';

const HIDDEN = '…';

/** A code, an id or a status. Other texts may hold the data of a person. */
const WORD = /^[\w.:-]{1,64}$/;

/** A longer word in a message may be a token, an address or a code. */
const LONG_WORD = /\S{25,}/g;

/** The names of the fields that are shown, without hyphens and underscores. Any other field may hold a secret. */
// oxfmt-ignore
const SHOWN: ReadonlySet<string> = new Set([
  'code', 'errorcode', 'declinecode', 'responsecode', 'reasoncode', 'networkcode', 'status', 'httpstatus', 'state',
  'id', 'requestid', 'eventid', 'paymentid', 'orderid', 'captureid', 'refundid', 'disputeid', 'payoutid', 'reportid',
  'type', 'kind', 'event', 'eventtype', 'verb', 'step', 'field', 'version', 'reference', 'currency', 'country',
  'attempt', 'attempts', 'count', 'total', 'page', 'pages', 'entries', 'items', 'lines', 'bytes', 'length',
  'durationms', 'tookms', 'waitms', 'waitedms', 'delayms', 'retryafterms', 'deadlinems', 'restms', 'final', 'retried',
]);

/** The name of a field in code. Another text may hold data. */
const NAME = /^[A-Za-z_-]{1,40}$/;

/**
 * Returns the log of a connector for one call. It shows the fields with known names that are plain words. The secrets of the call
 * and card numbers are hidden everywhere. It never throws.
 */
export function connectorLog(id: string, secrets: () => Confidential, log: Log): ConnectorLog {
  const line =
    (level: keyof ConnectorLog) =>
    (message: unknown, fields?: LogFields | null): void => {
      try {
        const given = secrets();
        const clean = (text: string): string => withoutCardNumbers(cleanText(text, given));
        const said = Object.entries(fields ?? {}).map(([name, value]) => [
          NAME.test(name) && clean(name) === name ? name : HIDDEN,
          shown(name, value, clean),
        ]);
        const sentence = clean(String(message)).replace(LONG_WORD, HIDDEN);
        log[level]({ connector: id, fields: Object.fromEntries(said) }, sentence);
      } catch {
        log.error({ connector: id }, 'The connector logged a line that cannot be read.');
      }
    };
  return Object.freeze({ info: line('info'), warn: line('warn'), error: line('error') });
}

function shown(name: string, value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'boolean' || value === null) return value;
  if (!SHOWN.has(name.replaceAll(/[_-]/g, '').toLowerCase())) return HIDDEN;
  if (typeof value !== 'number' && typeof value !== 'string') return HIDDEN;
  const word = String(value);
  return WORD.test(word) && clean(word) === word ? value : HIDDEN;
}
