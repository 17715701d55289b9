export {
  answerOnce,
  createOnce,
  isKeyKnown,
  KEY_DAYS,
  KEY_WAIT_MS,
  refuseKey,
  type Once,
} from './create-once.ts';
export { startKeySweeper } from './sweep.ts';
export { createOrRefuse } from './create-or-refuse.ts';
export { differingPaths, fingerprintOf, type Fingerprint } from './fingerprint.ts';
