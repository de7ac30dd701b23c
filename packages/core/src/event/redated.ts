/** The result of a commit that gave the settlement a later instant than the write had. */
export type Redated = { readonly redatedTo: Date }
