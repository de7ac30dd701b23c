/** Encrypts secrets for the store. @source assumed */
export type SecretBox = {
  /** @param context  the associated data: the text decrypts only with the same context */
  encrypt(secret: string, context: string): string
  /** Undefined when the text was encrypted with another key or context, or was changed. */
  decrypt(ciphertext: string, context: string): string | undefined
}
