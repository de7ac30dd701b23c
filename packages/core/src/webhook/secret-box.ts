/** Keeps secrets that must be read back. @source assumed */
export type SecretBox = {
  /** @param context  what the secret belongs to; it opens for nothing else */
  seal(secret: string, context: string): string
  /** Undefined when it was sealed with another key, for another context, or was changed. */
  open(sealed: string, context: string): string | undefined
}
