export const PROVIDER_UNAVAILABLE = 'The provider gave no usable answer. Nothing was changed. Try again.';

export const PAYMENTS_HELD =
  'The operator holds payments back after a restore of the database. Nothing was done. Send the request again later, with the same idempotencyKey.';

export const credentialsRefused = (reason: string): string =>
  `The provider refused the credentials: ${reason.replace(/\.$/, '')}. Nothing was stored.`;
