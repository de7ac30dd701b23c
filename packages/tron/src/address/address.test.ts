import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TronWeb } from 'tronweb'
import { tronAddressFormat } from './address.ts'

const { format, parse } = tronAddressFormat
const account = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('hex'))

test('accounts are formatted as by tronweb, and parsed again', () => {
  fc.assert(
    fc.property(account, (account) => {
      const address = format(account)
      expect(address).toBe(TronWeb.address.fromHex(`41${account}`))
      expect(parse(address)).toBe(account)
    }),
  )
})

test('an address with one changed character is invalid', () => {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  fc.assert(
    fc.property(account, fc.nat(33), fc.constantFrom(...alphabet.split('')), (account, at, character) => {
      const address = format(account)
      fc.pre(address[at] !== character)
      expect(parse(address.slice(0, at) + character + address.slice(at + 1))).toBeUndefined()
    }),
  )
})

test.each([
  ['nothing', ''],
  ['hex', '415cbdd86a2fa8dc4bddd8a8f69dba48572eec07fb'],
  ['a blank at the end', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8 '],
  ['an address of Ethereum', '0x5cbdd86a2fa8dc4bddd8a8f69dba48572eec07fb'],
  ['an address of Bitcoin', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
  ['a very long text', 'T'.repeat(1_000_000)],
])('%s is no address', (_, text) => {
  expect(parse(text)).toBeUndefined()
})

test('an invalid account is not formatted', () => {
  expect(() => format('41')).toThrow(RangeError)
})
