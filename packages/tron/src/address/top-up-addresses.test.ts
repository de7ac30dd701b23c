import { HDKey } from '@scure/bip32'
import { TronWeb } from 'tronweb'
import { expect, test } from 'vitest'
import { tronAddressFormat } from './address.ts'
import { tronAddresses } from './top-up-addresses.ts'

// A published test mnemonic and its seed.
const phrase = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'
const seed = Buffer.from(
  '5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc19a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4',
  'hex',
)
const master = HDKey.fromMasterSeed(seed)
const at = (path: string): HDKey => master.derive(path)

test.each([0, 1, 7, 1_000_000, 2 ** 31 - 1])('address %i equals that of a wallet with the mnemonic', (index) => {
  for (const account of [0, 3]) {
    const addresses = tronAddresses(at(`m/44'/195'/${account}'`).publicExtendedKey)
    const derived = addresses.derive(index)
    const wallet = TronWeb.fromMnemonic(phrase, `m/44'/195'/${account}'/0/${index}`)
    expect(derived.address).toBe(wallet.address)
    expect(tronAddressFormat.parse(derived.address)).toBe(derived.account)
  }
})

test('an extended private key is refused, and not in the message', () => {
  const xprv = at("m/44'/195'/0'").privateExtendedKey
  expect(() => tronAddresses(xprv)).toThrow('this is a private key')
  expect(() => tronAddresses(xprv)).not.toThrow(xprv)
})

test.each([
  ['the master key', 'm'],
  ['of the coin', "m/44'/195'"],
  ['of the external chain', "m/44'/195'/0'/0"],
  ['of an account that is not hardened', "m/44'/195'/0"],
])('an extended key %s is refused', (_, path) => {
  expect(() => tronAddresses(at(path).publicExtendedKey)).toThrow('depth 3 and hardened')
})

test.each(['', 'xpub', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'])('%j is refused', (text) => {
  expect(() => tronAddresses(text)).toThrow('the extended public key')
})

test.each([-1, 0.5, 2 ** 31, Number.NaN])('index %d is refused', (index) => {
  const { derive } = tronAddresses(at("m/44'/195'/0'").publicExtendedKey)
  expect(() => derive(index)).toThrow(RangeError)
})
