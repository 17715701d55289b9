/** Text for the buyer's statement. */
export type StatementDescriptor = {
  readonly name: string | null;
  readonly description: string | null;
  readonly city: string | null;
  readonly country: string | null;
  readonly phoneNumber: string | null;
  readonly url: string | null;
  readonly postalCode: string | null;
};
