/** The payer of a payment, as the merchant described the payer at the creation. */
export type PayingBuyer = {
  /** Our id of the stored buyer, or else the merchant's name of the buyer. */
  readonly reference: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  /** In E.164 form. */
  readonly phone: string | null;
  readonly billingAddress: PostalAddress | null;
  /** The number at a tax office. `kind` is a word of the API in lower case, such as `br_cpf`. */
  readonly taxId: { readonly value: string; readonly kind: string } | null;
  /** The receiver of the goods. */
  readonly shipping: {
    readonly firstName: string | null;
    readonly lastName: string | null;
    readonly address: PostalAddress | null;
  } | null;
};

export type PostalAddress = {
  readonly line1: string | null;
  readonly line2: string | null;
  readonly houseNumberOrName: string | null;
  readonly city: string | null;
  readonly postalCode: string | null;
  /** The name of the state or province, and its ISO 3166-2 code. */
  readonly state: string | null;
  readonly stateCode: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  readonly organization: string | null;
};
