import { storableKey } from './notice-words.ts';
import type { StoredMethodNotice } from '../notices/stored-methods.ts';
import { cleanCard, isToken } from './words.ts';

/** Returns a notice about a stored payment method that can be stored. Facts of the card in another form are absent. */
export function tidyStoredMethod(notice: StoredMethodNotice): StoredMethodNotice {
  const { token, change } = notice.storedMethod;
  const isTold = change.kind === 'updated' && change.card !== null;
  return {
    ...notice,
    eventKey: storableKey(notice.eventKey),
    storedMethod: { token, change: isTold ? { kind: 'updated', card: cleanCard(change.card) } : change },
  };
}

/** True when the notice names a token by which its payment method can be found. */
export const isUsableStoredMethod = ({ storedMethod: { token } }: StoredMethodNotice): boolean =>
  token !== null && isToken(token);
