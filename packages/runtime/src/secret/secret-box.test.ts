import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aesSecretBox, cachingSecretBox } from './secret-box.ts'

const ringOf = (key: Uint8Array, id = '1') => [{ id, key }] as const
const key = fc.uint8Array({ minLength: 32, maxLength: 32 })
const secret = fc.string({ unit: 'grapheme' })
const context = fc.string({ unit: 'grapheme' })

/** Nonce, ciphertext and tag. */
const bytesOf = (encrypted: string): Buffer => Buffer.from(encrypted.slice(4), 'base64url')
const textOf = (bytes: Uint8Array): string => `1.1.${Buffer.from(bytes).toString('base64url')}`

test('any box with the key decrypts a secret', () => {
  fc.assert(
    fc.property(key, secret, context, (key, secret, context) => {
      const encrypted = aesSecretBox(ringOf(key), randomBytes).encrypt(secret, context)
      expect(aesSecretBox(ringOf(Uint8Array.from(key)), randomBytes).decrypt(encrypted, context)).toBe(secret)
    }),
  )
})

test('the ciphertext is as long as the secret, with a nonce and a tag', () => {
  fc.assert(
    fc.property(key, secret, context, (key, secret, context) => {
      const encrypted = aesSecretBox(ringOf(key), randomBytes).encrypt(secret, context)
      expect(encrypted).toMatch(/^1\.1\.[\w-]+$/)
      expect(bytesOf(encrypted)).toHaveLength(12 + Buffer.byteLength(secret) + 16)
    }),
  )
})

test('each encryption of a secret has another nonce and ciphertext', () => {
  const box = aesSecretBox(ringOf(randomBytes(32)), randomBytes)
  const encrypted = Array.from({ length: 100 }, () => box.encrypt('whsec_a', 'we_1'))
  expect(new Set(encrypted.map((text) => text.slice(0, 20))).size).toBe(100)
  expect(new Set(encrypted.map((text) => text.slice(20))).size).toBe(100)
})

test('a key that differs in one bit decrypts nothing', () => {
  fc.assert(
    fc.property(key, fc.nat(255), secret, context, (key, bit, secret, context) => {
      const encrypted = aesSecretBox(ringOf(key), randomBytes).encrypt(secret, context)
      const other = key.with(bit >> 3, (key[bit >> 3] ?? 0) ^ (1 << (bit & 7)))
      expect(aesSecretBox(ringOf(other), randomBytes).decrypt(encrypted, context)).toBeUndefined()
    }),
  )
})

test('another context decrypts nothing', () => {
  fc.assert(
    fc.property(key, secret, context, context, (key, secret, context, other) => {
      fc.pre(context !== other)
      const box = aesSecretBox(ringOf(key), randomBytes)
      expect(box.decrypt(box.encrypt(secret, context), other)).toBeUndefined()
    }),
  )
})

test('a text with one changed bit decrypts to nothing', () => {
  fc.assert(
    fc.property(key, secret, context, fc.nat(), fc.nat(7), (key, secret, context, at, bit) => {
      const box = aesSecretBox(ringOf(key), randomBytes)
      const bytes = bytesOf(box.encrypt(secret, context))
      const index = at % bytes.length
      bytes[index] = (bytes[index] ?? 0) ^ (1 << bit)
      expect(box.decrypt(textOf(bytes), context)).toBeUndefined()
    }),
  )
})

test('a shortened or lengthened text decrypts to nothing', () => {
  fc.assert(
    fc.property(key, secret, context, fc.nat(), (key, secret, context, at) => {
      const box = aesSecretBox(ringOf(key), randomBytes)
      const bytes = bytesOf(box.encrypt(secret, context))
      const cut = at % bytes.length
      const longer = Buffer.concat([bytes.subarray(0, cut), Buffer.from([0]), bytes.subarray(cut)])
      for (const changed of [bytes.subarray(0, cut), bytes.subarray(cut + 1), longer])
        expect(box.decrypt(textOf(changed), context)).toBeUndefined()
    }),
  )
})

test('random text decrypts to nothing and does not throw', () => {
  const box = aesSecretBox(ringOf(randomBytes(32)), randomBytes)
  const garbage = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.uint8Array({ maxLength: 64 }).map(textOf),
    fc.base64String().map((text) => `1.1.${text}`),
  )
  fc.assert(
    fc.property(garbage, context, (text, context) => {
      expect(box.decrypt(text, context)).toBeUndefined()
    }),
  )
})

test.each(['0', '2', '', '01', ' 1'])('a text of version %j decrypts to nothing', (version) => {
  const box = aesSecretBox(ringOf(randomBytes(32)), randomBytes)
  const encrypted = box.encrypt('whsec_a', 'we_1')
  expect(box.decrypt(encrypted, 'we_1')).toBe('whsec_a')
  expect(box.decrypt(`1.${version}${encrypted.slice(3)}`, 'we_1')).toBeUndefined()
})

test.each([0, 16, 24, 31, 33, 64])('a key of %i bytes is refused', (length) => {
  expect(() => aesSecretBox(ringOf(new Uint8Array(length)), randomBytes)).toThrow(RangeError)
})

test('a caching box decrypts a secret once, and failures each time', () => {
  const box = aesSecretBox(ringOf(randomBytes(32)), randomBytes)
  const decrypted: string[] = []
  const caching = cachingSecretBox(
    {
      ...box,
      decrypt(encrypted, context) {
        decrypted.push(context)
        return box.decrypt(encrypted, context)
      },
    },
    2,
  )
  const encrypted = caching.encrypt('whsec_a', 'we_1')
  for (let times = 0; times < 3; times++) expect(caching.decrypt(encrypted, 'we_1')).toBe('whsec_a')
  expect(decrypted).toEqual(['we_1'])
  for (let times = 0; times < 2; times++) expect(caching.decrypt(encrypted, 'we_2')).toBeUndefined()
  expect(decrypted).toEqual(['we_1', 'we_2', 'we_2'])
  for (const id of ['we_3', 'we_4', 'we_5']) expect(caching.decrypt(box.encrypt(id, id), id)).toBe(id)
  expect(caching.decrypt(encrypted, 'we_1')).toBe('whsec_a')
})

test('older keys of a ring decrypt, and the current one encrypts', () => {
  const [first] = ringOf(randomBytes(32), 'first')
  const [second] = ringOf(randomBytes(32), 'second')
  const before = aesSecretBox([first], randomBytes).encrypt('whsec_a', 'we_1')
  const box = aesSecretBox([second, first], randomBytes)
  expect(box.keyIds).toEqual(['second', 'first'])
  expect(box.decrypt(before, 'we_1')).toBe('whsec_a')
  const after = box.encrypt('whsec_a', 'we_1')
  expect(after).toMatch(/^second\./)
  expect(aesSecretBox([first], randomBytes).decrypt(after, 'we_1')).toBeUndefined()
})
