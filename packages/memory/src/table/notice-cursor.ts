/** A place among the expiries of keys. */
export type ExpiryPlace = { readonly at: Date; readonly keyId: string }

/** The place up to which notices were accepted, and the claim on the next one. */
export type NoticeCursor = {
  entryId: bigint
  expiry: ExpiryPlace
  fencingToken: number
  /** The end of the lease, or of the pause after a failure. */
  dueAt: Date
  /** The place after the claimed notice; undefined when none is claimed. */
  claimed: { readonly entryId: bigint } | { readonly expiry: ExpiryPlace } | undefined
  failedAttempts: number
  /** Undefined when the last attempt was accepted. */
  failingSince: Date | undefined
}

export const newNoticeCursor = (): NoticeCursor => ({
  entryId: 0n,
  expiry: { at: new Date(0), keyId: '' },
  fencingToken: 0,
  dueAt: new Date(0),
  claimed: undefined,
  failedAttempts: 0,
  failingSince: undefined,
})
