/** Encrypts secrets for the store. @source assumed */
export type SecretBox = {
  /** The id of the key that encrypts. Each encrypted text begins with the id of its key and a dot. */
  readonly keyId: string
  /** @param context  the associated data: the text decrypts only with the same context */
  encrypt(secret: string, context: string): string
  /** Undefined when the key is missing, the context is another one, or the text was changed. */
  decrypt(ciphertext: string, context: string): string | undefined
}
