import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { RandomBytes, SecretBox } from '@quipu/core'

const version = '1'
const [nonceBytes, tagBytes] = [12, 16]

/**
 * AES-256-GCM. A sealed secret is its version, a dot, and nonce, ciphertext and tag in base64url.
 *
 * @param key  32 bytes
 */
export function aesSecretBox(key: Uint8Array, random: RandomBytes): SecretBox {
  if (key.length !== 32) throw new RangeError('a secret box needs a key of 32 bytes')
  return {
    encrypt(secret, context) {
      const nonce = random(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      cipher.setAAD(Buffer.from(context))
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      const box = Buffer.concat([nonce, text, cipher.getAuthTag()])
      return `${version}.${box.toString('base64url')}`
    },
    decrypt(sealed, context) {
      const [is, text = ''] = sealed.split('.')
      const box = Buffer.from(text, 'base64url')
      if (is !== version || box.length < nonceBytes + tagBytes) return undefined
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, nonceBytes))
        decipher.setAAD(Buffer.from(context))
        decipher.setAuthTag(box.subarray(-tagBytes))
        const text = decipher.update(box.subarray(nonceBytes, -tagBytes))
        return Buffer.concat([text, decipher.final()]).toString('utf8')
      } catch {
        return undefined
      }
    },
  }
}

/** The same box, which opens a secret once and then knows it; for who opens the same ones all the time. */
export function cachingSecretBox(box: SecretBox, sizeMax = 10_000): SecretBox {
  const known = new Map<string, string>()
  return {
    encrypt: box.encrypt,
    decrypt(sealed, context) {
      const name = `${context} ${sealed}`
      const remembered = known.get(name)
      if (remembered !== undefined) return remembered
      const secret = box.decrypt(sealed, context)
      if (known.size >= sizeMax) known.clear()
      if (secret !== undefined) known.set(name, secret)
      return secret
    },
  }
}
