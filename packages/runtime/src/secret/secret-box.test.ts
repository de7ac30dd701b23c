import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aesSecretBox, cachingSecretBox } from './secret-box.ts'

const key = fc.uint8Array({ minLength: 32, maxLength: 32 })
const secret = fc.string({ unit: 'grapheme' })
const context = fc.string({ unit: 'grapheme' })

/** What is sealed besides the version. */
const bytesOf = (sealed: string): Buffer => Buffer.from(sealed.slice(2), 'base64url')
const sealedOf = (bytes: Uint8Array): string => `1.${Buffer.from(bytes).toString('base64url')}`

test('a box opens what it sealed, and so does another one with its key', () => {
  fc.assert(
    fc.property(key, secret, context, (key, secret, context) => {
      const sealed = aesSecretBox(key, randomBytes).encrypt(secret, context)
      expect(aesSecretBox(Uint8Array.from(key), randomBytes).decrypt(sealed, context)).toBe(secret)
    }),
  )
})

test('a sealed secret tells nothing but its length', () => {
  fc.assert(
    fc.property(key, secret, context, (key, secret, context) => {
      const sealed = aesSecretBox(key, randomBytes).encrypt(secret, context)
      expect(sealed).toMatch(/^1\.[\w-]+$/)
      expect(bytesOf(sealed)).toHaveLength(12 + Buffer.byteLength(secret) + 16)
    }),
  )
})

test('the same secret is never sealed twice in the same way', () => {
  const box = aesSecretBox(randomBytes(32), randomBytes)
  const sealed = Array.from({ length: 100 }, () => box.encrypt('whsec_a', 'we_1'))
  expect(new Set(sealed.map((text) => text.slice(0, 18))).size).toBe(100)
  expect(new Set(sealed.map((text) => text.slice(18))).size).toBe(100)
})

test('a box opens nothing that was sealed with another key', () => {
  fc.assert(
    fc.property(key, fc.nat(255), secret, context, (key, bit, secret, context) => {
      const sealed = aesSecretBox(key, randomBytes).encrypt(secret, context)
      const other = key.with(bit >> 3, (key[bit >> 3] ?? 0) ^ (1 << (bit & 7)))
      expect(aesSecretBox(other, randomBytes).decrypt(sealed, context)).toBeUndefined()
    }),
  )
})

test('a box opens nothing for another context', () => {
  fc.assert(
    fc.property(key, secret, context, context, (key, secret, context, other) => {
      fc.pre(context !== other)
      const box = aesSecretBox(key, randomBytes)
      expect(box.decrypt(box.encrypt(secret, context), other)).toBeUndefined()
    }),
  )
})

test('a box opens nothing of which a bit was changed, wherever it is', () => {
  fc.assert(
    fc.property(key, secret, context, fc.nat(), fc.nat(7), (key, secret, context, at, bit) => {
      const box = aesSecretBox(key, randomBytes)
      const bytes = bytesOf(box.encrypt(secret, context))
      const index = at % bytes.length
      bytes[index] = (bytes[index] ?? 0) ^ (1 << bit)
      expect(box.decrypt(sealedOf(bytes), context)).toBeUndefined()
    }),
  )
})

test('a box opens nothing that was cut or lengthened', () => {
  fc.assert(
    fc.property(key, secret, context, fc.nat(), (key, secret, context, at) => {
      const box = aesSecretBox(key, randomBytes)
      const bytes = bytesOf(box.encrypt(secret, context))
      const cut = at % bytes.length
      const longer = Buffer.concat([bytes.subarray(0, cut), Buffer.from([0]), bytes.subarray(cut)])
      for (const changed of [bytes.subarray(0, cut), bytes.subarray(cut + 1), longer])
        expect(box.decrypt(sealedOf(changed), context)).toBeUndefined()
    }),
  )
})

test('a box opens no garbage, and does not throw', () => {
  const box = aesSecretBox(randomBytes(32), randomBytes)
  const garbage = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.uint8Array({ maxLength: 64 }).map(sealedOf),
    fc.base64String().map((text) => `1.${text}`),
  )
  fc.assert(
    fc.property(garbage, context, (text, context) => {
      expect(box.decrypt(text, context)).toBeUndefined()
    }),
  )
})

test.each(['0', '2', '', '01', ' 1'])('a box opens nothing of the version %j', (version) => {
  const box = aesSecretBox(randomBytes(32), randomBytes)
  const sealed = box.encrypt('whsec_a', 'we_1')
  expect(box.decrypt(sealed, 'we_1')).toBe('whsec_a')
  expect(box.decrypt(`${version}${sealed.slice(1)}`, 'we_1')).toBeUndefined()
})

test.each([0, 16, 24, 31, 33, 64])('a key of %i bytes is refused', (length) => {
  expect(() => aesSecretBox(new Uint8Array(length), randomBytes)).toThrow(RangeError)
})

test('a box that remembers answers as the one that it asks, and asks it once', () => {
  const box = aesSecretBox(randomBytes(32), randomBytes)
  const opened: string[] = []
  const remembering = cachingSecretBox(
    {
      encrypt: box.encrypt,
      decrypt(sealed, context) {
        opened.push(context)
        return box.decrypt(sealed, context)
      },
    },
    2,
  )
  const sealed = remembering.encrypt('whsec_a', 'we_1')
  for (let times = 0; times < 3; times++)
    expect(remembering.decrypt(sealed, 'we_1')).toBe('whsec_a')
  expect(opened).toEqual(['we_1'])
  for (let times = 0; times < 2; times++)
    expect(remembering.decrypt(sealed, 'we_2')).toBeUndefined()
  expect(opened).toEqual(['we_1', 'we_2', 'we_2'])
  for (const id of ['we_3', 'we_4', 'we_5'])
    expect(remembering.decrypt(box.encrypt(id, id), id)).toBe(id)
  expect(remembering.decrypt(sealed, 'we_1')).toBe('whsec_a')
})
