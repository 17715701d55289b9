export { digestToken, type AccessToken } from './model/access-token.ts';
export type { ApiKeyPair } from './model/api-key-pair.ts';
export type { CreateApiKeyPairInput, UpdateApiKeyPairInput } from './api-keys/api-key-pair-input.ts';
export { authorOf } from './model/author.ts';
export { createApiKeyPair } from './api-keys/create-api-key-pair.ts';
export { createMerchantAccount } from './merchant-accounts/create-merchant-account.ts';
export { findApiKeyPairs } from './api-keys/find-api-key-pairs.ts';
export {
  allowsCardLikeIdentifiers,
  findMerchantAccounts,
} from './merchant-accounts/find-merchant-accounts.ts';
export { publicHalf, readPublicKey, type ApiKeyAlgorithm, type PublicKey } from './model/key-material.ts';
export { listApiKeyPairs } from './api-keys/list-api-key-pairs.ts';
export { listPublicKeys, type KeySet } from './tokens/list-public-keys.ts';
export { listMerchantAccounts } from './merchant-accounts/list-merchant-accounts.ts';
export {
  DEFAULT_MERCHANT_ACCOUNT,
  type CreateMerchantAccountInput,
  type MerchantAccount,
  type UpdateMerchantAccountInput,
} from './model/merchant-account.ts';
export { mintToken, type TokenRequest } from './tokens/mint-token.ts';
export {
  findUsableKey,
  generateProvisionedKey,
  importKey,
  provisionApiKey,
  provisionMerchantAccount,
  type ProvisionedKey,
} from './provision.ts';
export { canAccess, isMerchantAccountId } from './model/account-access.ts';
export type { DuplicateRecord, Forbidden } from './model/refusals.ts';
export { ALL_SCOPES, isKnownScope } from './model/scopes.ts';
export { LIFETIME_MAX_S } from './tokens/token.ts';
export { updateApiKeyPair } from './api-keys/update-api-key-pair.ts';
export { updateMerchantAccount } from './merchant-accounts/update-merchant-account.ts';
export { verifyToken, wasVerified, type Unauthenticated } from './tokens/verify-token.ts';
export { recordMintedToken } from './tokens/record-minted-token.ts';
export type { MintedToken } from './model/minted-token.ts';
