/** A payment method that Mollie stores: the mandate of a customer. */
export type StoredMandate = { readonly customerId: string; readonly mandateId: string };

/** Writes the token of a mandate, as `cst_…/mdt_…`. */
export const writeToken = ({ customerId, mandateId }: StoredMandate): string => `${customerId}/${mandateId}`;

/** Reads the token of a mandate. Null for another text. */
export function mandateOf(token: string): StoredMandate | null {
  const [, customerId, mandateId] = MANDATE.exec(token) ?? [];
  return customerId !== undefined && mandateId !== undefined ? { customerId, mandateId } : null;
}

/** True for a card that Mollie Components read in the buyer's client. */
export const isCardToken = (token: string): boolean => CARD_TOKEN.test(token);

const MANDATE = /^(cst_\w{1,60})\/(mdt_\w{1,60})$/;
const CARD_TOKEN = /^tkn_\w{1,60}$/;
