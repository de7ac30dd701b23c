import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { KeyRing, RandomBytes, SecretBox } from '@quipu/core'
import { keyOf } from '@quipu/core/adapter'

const version = '1'
const [nonceBytes, tagBytes] = [12, 16]

/**
 * AES-256-GCM with the context as associated data. The result is the id of the key, the version, and nonce,
 * ciphertext and tag in base64url, with dots between them.
 *
 * @param keys  of 32 bytes; the first one encrypts
 */
export function aesSecretBox(keys: KeyRing, random: RandomBytes): SecretBox {
  if (keys.some(({ key }) => key.length !== 32)) throw new RangeError('a secret box needs keys of 32 bytes')
  const [current, ...older] = keys
  return {
    keyIds: [current.id, ...older.map(({ id }) => id)],
    encrypt(secret, context) {
      const nonce = random(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce)
      cipher.setAAD(Buffer.from(context))
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      const bytes = Buffer.concat([nonce, text, cipher.getAuthTag()])
      return `${current.id}.${version}.${bytes.toString('base64url')}`
    },
    decrypt(encrypted, context) {
      const [, prefix, text = ''] = encrypted.split('.')
      const key = keyOf(keys, encrypted)?.key
      const bytes = Buffer.from(text, 'base64url')
      if (key === undefined || prefix !== version || bytes.length < nonceBytes + tagBytes) return undefined
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
        decipher.setAAD(Buffer.from(context))
        decipher.setAuthTag(bytes.subarray(-tagBytes))
        const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes))
        return Buffer.concat([text, decipher.final()]).toString('utf8')
      } catch {
        return undefined
      }
    },
  }
}

/** Caches decrypted secrets. @param sizeMax  the cache is cleared at this number of secrets */
export function cachingSecretBox(box: SecretBox, sizeMax = 10_000): SecretBox {
  const cache = new Map<string, string>()
  return {
    ...box,
    decrypt(encrypted, context) {
      const key = `${context} ${encrypted}`
      const cached = cache.get(key)
      if (cached !== undefined) return cached
      const secret = box.decrypt(encrypted, context)
      if (cache.size >= sizeMax) cache.clear()
      if (secret !== undefined) cache.set(key, secret)
      return secret
    },
  }
}
