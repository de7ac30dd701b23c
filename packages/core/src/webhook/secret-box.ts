/** Encrypts secrets for the store. */
export type SecretBox = {
  /** The ids of its keys; the first one encrypts. Each encrypted text begins with the id of its key and a dot. */
  readonly keyIds: readonly [string, ...string[]]
  /** @param context  the associated data: the text decrypts only with the same context */
  encrypt(secret: string, context: string): string
  /** Undefined when the key is missing, the context is another one, or the text was changed. */
  decrypt(ciphertext: string, context: string): string | undefined
}
