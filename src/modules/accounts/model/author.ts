import type { Viewer } from '../../../app.ts';

/** Names the caller in the history of a payment: the key of a token, or the person of a session. */
export const authorOf = ({ apiKeyPairId, person }: Viewer): Readonly<Record<string, string>> =>
  person === undefined ? { api_key_pair_id: apiKeyPairId } : { person, session_id: apiKeyPairId };
