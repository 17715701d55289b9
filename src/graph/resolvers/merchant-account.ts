/** The edge from a record to the merchant account that owns the record. */
export const merchantAccountOf = {
  merchantAccount: ({ merchantAccountId: id }: { readonly merchantAccountId: string }) => ({ id }),
};
