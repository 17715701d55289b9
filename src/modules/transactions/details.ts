/** The buyer's details as given with the payment; a copy (facts 1.4). */
export type Buyer = {
  readonly displayName: string | null;
  readonly externalIdentifier: string | null;
  readonly accountNumber: string | null;
  readonly billingDetails: BillingDetails | null;
};

export type BillingDetails = Contact & { readonly taxId: TaxId | null };

/** Where the goods go, as given with the payment; a copy (facts 1.4). */
export type ShippingDetails = Contact;

type Contact = {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly emailAddress: string | null;
  readonly phoneNumber: string | null;
  readonly address: Address | null;
};

export type Address = {
  readonly city: string | null;
  readonly country: string | null;
  readonly postalCode: string | null;
  readonly state: string | null;
  readonly stateCode: string | null;
  readonly houseNumberOrName: string | null;
  readonly line1: string | null;
  readonly line2: string | null;
  readonly organization: string | null;
};

export type TaxId = { readonly value: string; readonly kind: TaxIdKind };

/** A line of what is paid for. Amounts are minor units of the transaction's currency; all but the unit's are of the line. */
export type CartItem = {
  readonly name: string;
  readonly quantity: number;
  readonly unitAmount: number;
  readonly discountAmount: number;
  readonly taxAmount: number;
  readonly externalIdentifier: string | null;
  readonly sku: string | null;
  readonly upc: string | null;
  readonly productUrl: string | null;
  readonly imageUrl: string | null;
  readonly categories: readonly string[] | null;
  readonly productType: ProductType | null;
  readonly sellerCountry: string | null;
  readonly taxExempt: boolean | null;
  readonly unitOfMeasure: string | null;
  readonly commodityCode: string | null;
  readonly description: string | null;
  readonly dutyAmount: number | null;
  readonly shippingAmount: number | null;
};

/** What the buyer's statement is to say (facts 3.3). */
export type StatementDescriptor = {
  readonly name: string | null;
  readonly description: string | null;
  readonly city: string | null;
  readonly country: string | null;
  readonly phoneNumber: string | null;
  readonly url: string | null;
  readonly postalCode: string | null;
};

/** Settings for single connectors, by the id of a definition (facts 3.2). */
export type ConnectionOptions = { readonly [definitionId: string]: JsonObject | null };

export type JsonObject = { readonly [name: string]: Json };
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export const INTEGRATION_CLIENTS = ['ios', 'android', 'web'] as const;
export type IntegrationClient = (typeof INTEGRATION_CLIENTS)[number];

export const PRODUCT_TYPES = [
  'physical',
  'discount',
  'shipping_fee',
  'sales_tax',
  'digital',
  'gift_card',
  'store_credit',
  'surcharge',
] as const;
export type ProductType = (typeof PRODUCT_TYPES)[number];

/** Kinds of tax numbers (facts Appendix B, where the first _ is a dot). */
// prettier-ignore
export const TAX_ID_KINDS = [
  'ae_trn', 'au_abn', 'ar_dni', 'ar_cuil', 'ar_cuit', 'br_cnpj', 'br_cpf', 'ca_bn', 'ca_gst_hst',
  'ca_pst_bc', 'ca_pst_mb', 'ca_pst_sk', 'ca_qst', 'ch_vat', 'cl_tin', 'co_itin', 'co_nit', 'co_cc',
  'co_ce', 'co_de', 'co_rc', 'co_ti', 'co_passport', 'es_cif', 'eu_vat', 'gb_vat', 'hk_br', 'id_nik',
  'id_npwp', 'in_gst', 'in_pan', 'jp_cn', 'jp_rn', 'kr_brn', 'li_uid', 'mx_curp', 'mx_rfc', 'my_frp',
  'my_itn', 'my_nric', 'my_sst', 'no_vat', 'nz_gst', 'pe_ruc', 'ph_tin', 'ru_inn', 'ru_kpp', 'sa_vat',
  'sg_gst', 'sg_uen', 'th_id', 'th_vat', 'tw_vat', 'us_ein', 'za_vat', 'bo_ci', 'uy_rut', 'uy_ci',
] as const;
export type TaxIdKind = (typeof TAX_ID_KINDS)[number];
