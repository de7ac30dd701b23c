/** Keeps secrets that must be read back. @source assumed */
export type SecretBox = {
  /** @param context  what the secret belongs to; it opens for nothing else */
  encrypt(secret: string, context: string): string
  /** Undefined when it was sealed with another key, for another context, or was changed. */
  decrypt(sealed: string, context: string): string | undefined
}
