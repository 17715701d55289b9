/** A token that a command signed with a private key of the installation. */
export type MintedToken = {
  /** The thumbprint of the key. */
  readonly kid: string;
  readonly jti: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date;
  /** The only merchant account of the token. Null: those of the key. */
  readonly merchantAccountId: string | null;
  readonly subject: string | null;
  readonly audience: string | null;
};
