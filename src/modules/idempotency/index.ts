export {
  answerOnce,
  createOnce,
  isKeyKnown,
  KEY_DAYS,
  KEY_WAIT_MS,
  refuseKey,
  refuseReuse,
  type Once,
} from './create-once.ts';
export { claimKey, findKey, readKey, settleKey, type KeyedRequest } from './claim-key.ts';
export { providerKeysOf } from './provider-keys.ts';
export { startKeySweeper } from './sweep.ts';
export { createOrRefuse } from './create-or-refuse.ts';
export { differingPaths, fingerprintOf, type Fingerprint } from './fingerprint.ts';
