import type { Log } from '../../platform/log.ts';
import type { ConnectorLog, LogFields } from '../interface/call-context.ts';
import { withoutCardNumbers } from '../reading/notice-words.ts';
import { cleanText } from '../reading/words.ts';

const HIDDEN = '…';

/** A code, an id or a status. Other texts may hold the data of a person. */
const WORD = /^[\w.:-]{1,64}$/;

/** Names of fields whose words are secret, too. */
const SECRET = /number|cvc|cvv|pan|iban|secret|password|token|key|authorization/i;

/** Returns the log of a connector for one call. It hides the `secrets`, card numbers, and every field that is no plain word. */
export function connectorLog(id: string, secrets: readonly string[], log: Log): ConnectorLog {
  const clean = (text: string): string =>
    withoutCardNumbers(cleanText(text, { cardNumber: null, securityCode: null, credentials: secrets }));
  const shown = (name: string, value: unknown): unknown => {
    if (typeof value === 'boolean' || value === null) return value;
    if (SECRET.test(name) || (typeof value !== 'number' && typeof value !== 'string')) return HIDDEN;
    const word = String(value);
    return WORD.test(word) && clean(word) === word ? value : HIDDEN;
  };
  const line =
    (level: keyof ConnectorLog) =>
    (message: string, fields: LogFields = {}): void => {
      const said = Object.entries(fields).map(([name, value]) => [name, shown(name, value)] as const);
      log[level]({ connector: id, fields: Object.fromEntries(said) }, clean(message));
    };
  return Object.freeze({ info: line('info'), warn: line('warn'), error: line('error') });
}
