/**
 * Every column with sealed values. The vault seals for no other column. Key rotation walks all of them, and a test
 * compares them with the database.
 *
 * The primary key of each table is `merchant_account_id` and `id` (a UUID). Both are bound into the sealed text, with
 * the names of table and column.
 */
export const SEALED_COLUMNS = [
  { table: 'payment_service', column: 'sealed_fields' },
  { table: 'anti_fraud_service', column: 'sealed_fields' },
  { table: 'operation', column: 'sealed_card' },
  { table: 'operation', column: 'sealed_returned' },
  { table: 'operation', column: 'sealed_form' },
  { table: 'redemption', column: 'sealed_card' },
  { table: 'gift_card', column: 'sealed_number' },
  { table: 'gift_card', column: 'sealed_pin' },
  { table: 'webhook_endpoint', column: 'sealed_headers' },
  { table: 'webhook_endpoint', column: 'sealed_basic_password' },
  { table: 'webhook_secret', column: 'sealed' },
  { table: 'payment_method', column: 'sealed_instrument' },
  { table: 'payment_method_token', column: 'sealed_token' },
  { table: 'inbound_webhook', column: 'sealed_token' },
  { table: 'unread_webhook', column: 'sealed_body' },
  { table: 'payment_link', column: 'sealed_token' },
  { table: 'dispute_response', column: 'sealed_evidence' },
  { table: 'dashboard_person', column: 'sealed_totp' },
] as const;

export type SealedColumn = (typeof SEALED_COLUMNS)[number];

/**
 * Cookies and answers that hold sealed text for a browser. No column stores the text. `rowId` names the subject. A key rotation
 * invalidates the text.
 */
export const SEALED_IN_BROWSERS = [
  { table: 'payment_link', column: 'slip of gift cards' },
  { table: 'payment_link', column: 'values of the form' },
  { table: 'dashboard_person', column: 'offered shared secret' },
] as const;

type SealedInBrowser = (typeof SEALED_IN_BROWSERS)[number];

/** The place of a sealed value. The ciphertext binds the place, so that the value opens nowhere else. */
export type SealContext = (SealedColumn | SealedInBrowser) & {
  readonly merchantAccountId: string;
  /** In lower case, as the database returns it. */
  readonly rowId: string;
};
