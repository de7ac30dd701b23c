/** A session of the console. Its key is the hash of its secret. */
export type ConsoleSessionRow = { readonly tokenId: string; readonly expiresAt: Date; endedAt: Date | null }
