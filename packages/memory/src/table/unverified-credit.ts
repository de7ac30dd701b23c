/** A credit that only one provider has confirmed. */
export type UnverifiedCredit = { readonly tenantId: string; readonly minor: bigint; readonly at: Date }
