/** The details of a payer. A payment keeps a copy. */
export type BuyerDetails = {
  readonly displayName: string | null;
  readonly externalIdentifier: string | null;
  readonly accountNumber: string | null;
  readonly billingDetails: BillingDetails | null;
};

export type BillingDetails = Contact & { readonly taxId: TaxId | null };

/** Name and address of the receiver. A payment keeps a copy. */
export type ShippingAddress = Contact;

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

/** Kinds of tax numbers: country code and name, joined by `_`. */
// oxfmt-ignore
export const TAX_ID_KINDS = [
  'ae_trn', 'au_abn', 'ar_dni', 'ar_cuil', 'ar_cuit', 'br_cnpj', 'br_cpf', 'ca_bn', 'ca_gst_hst',
  'ca_pst_bc', 'ca_pst_mb', 'ca_pst_sk', 'ca_qst', 'ch_vat', 'cl_tin', 'co_itin', 'co_nit', 'co_cc',
  'co_ce', 'co_de', 'co_rc', 'co_ti', 'co_passport', 'es_cif', 'eu_vat', 'gb_vat', 'hk_br', 'id_nik',
  'id_npwp', 'in_gst', 'in_pan', 'jp_cn', 'jp_rn', 'kr_brn', 'li_uid', 'mx_curp', 'mx_rfc', 'my_frp',
  'my_itn', 'my_nric', 'my_sst', 'no_vat', 'nz_gst', 'pe_ruc', 'ph_tin', 'ru_inn', 'ru_kpp', 'sa_vat',
  'sg_gst', 'sg_uen', 'th_id', 'th_vat', 'tw_vat', 'us_ein', 'za_vat', 'bo_ci', 'uy_rut', 'uy_ci',
] as const;
export type TaxIdKind = (typeof TAX_ID_KINDS)[number];
