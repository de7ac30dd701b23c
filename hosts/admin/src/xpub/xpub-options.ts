export type DeriveOptions = { readonly count: number; readonly json?: true }
export type VerifyOptions = { readonly json?: true }
