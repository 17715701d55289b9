export { digestToken, type AccessToken } from './access-token.ts';
export type { ApiKeyPair } from './api-key-pair.ts';
export type { CreateApiKeyPairInput, UpdateApiKeyPairInput } from './api-key-pair-input.ts';
export { authorOf } from './author.ts';
export { createApiKeyPair } from './create-api-key-pair.ts';
export { createMerchantAccount } from './create-merchant-account.ts';
export { findApiKeyPairs } from './find-api-key-pairs.ts';
export { allowsCardLikeIdentifiers, findMerchantAccounts } from './find-merchant-accounts.ts';
export { publicHalf, readPublicKey, type ApiKeyAlgorithm, type PublicKey } from './key-material.ts';
export { listApiKeyPairs } from './list-api-key-pairs.ts';
export { listPublicKeys, type KeySet } from './list-public-keys.ts';
export { listMerchantAccounts } from './list-merchant-accounts.ts';
export {
  DEFAULT_MERCHANT_ACCOUNT,
  type CreateMerchantAccountInput,
  type MerchantAccount,
  type UpdateMerchantAccountInput,
} from './merchant-account.ts';
export { mintToken, type TokenRequest } from './mint-token.ts';
export {
  findUsableKey,
  generateProvisionedKey,
  importKey,
  provisionApiKey,
  provisionMerchantAccount,
  type ProvisionedKey,
} from './provision.ts';
export { isMerchantAccountId } from './account-access.ts';
export type { DuplicateRecord, Forbidden } from './refusals.ts';
export { ALL_SCOPES, isKnownScope } from './scopes.ts';
export { OVER_CAPTURE_ALLOWANCE } from './store.ts';
export { LIFETIME_MAX_S } from './token.ts';
export { updateApiKeyPair } from './update-api-key-pair.ts';
export { updateMerchantAccount } from './update-merchant-account.ts';
export { verifyToken, wasVerified, type Unauthenticated } from './verify-token.ts';
export { recordMintedToken } from './record-minted-token.ts';
export type { MintedToken } from './minted-token.ts';
