import { texts } from '../../texts/texts.ts';

type Named = {
  readonly displayName: string | null;
  readonly billingDetails: {
    readonly firstName: string | null;
    readonly lastName: string | null;
    readonly emailAddress: string | null;
  } | null;
};

/** Returns the name of a buyer: the display name, the name of the payer, or the e-mail address. */
export function nameOf({ displayName, billingDetails }: Named): string {
  const { firstName, lastName, emailAddress } = billingDetails ?? {};
  const full = [firstName, lastName].filter(Boolean).join(' ');
  return displayName ?? (full || emailAddress || texts.buyers.unnamed);
}
