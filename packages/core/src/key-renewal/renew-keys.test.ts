import { expect, test } from 'vitest'
import { addressMac, hasValidMac } from '../top-up-address/address-mac.ts'
import type { TopUpAddress } from '../top-up-address/ports.ts'
import { type EncryptedSecret, secretContext } from '../webhook/endpoint.ts'
import type { SecretBox } from '../webhook/secret-box.ts'
import type { KeyRing } from '../key-ring/key-ring.ts'
import { renewAddressMacs, renewalBatch, renewSecrets } from './renew-keys.ts'

const at = new Date('2026-03-04T05:06:07.089Z')
const ringOf = (id: string): KeyRing => [{ id, key: new Uint8Array(32).fill(Number(id)) }]
const rotated: KeyRing = [...ringOf('2'), ...ringOf('1')] as const

function topUp(index: number, keys: KeyRing): TopUpAddress {
  const place = { tenantId: 'ten_1', chain: 'tron', index, address: `T${index}` } as const
  const account = String(index).padStart(6, '0')
  return { ...place, account, mac: addressMac(keys, place), createdAt: at, retiredAt: null }
}

test('MACs of older keys are renewed in slices, and match by the current key alone', async () => {
  const rows = Array.from({ length: renewalBatch + 3 }, (_, index) => topUp(index, ringOf('1')))
  const renewed: string[] = []
  const addresses = {
    listByOtherKeys: async (keyId: string, after: string, limit: number) => {
      expect(keyId).toBe('2')
      return rows.filter(({ account }) => account > after).slice(0, limit)
    },
    renewMac: async (row: TopUpAddress, mac: string) => {
      expect(hasValidMac(ringOf('2'), { ...row, mac })).toBe(true)
      renewed.push(row.account)
      return true
    },
  }
  const renew = renewAddressMacs({ addresses, addressMacKeys: rotated })
  const slice = await renew('')
  expect(slice).toEqual({ next: rows[renewalBatch - 1]?.account, renewed: renewalBatch, unreadable: [] })
  expect(await renew(slice.next ?? '')).toEqual({ next: null, renewed: 3, unreadable: [] })
  expect(renewed).toEqual(rows.map(({ account }) => account))
})

test('a MAC that no key has made, or that does not match, is reported and stays', async () => {
  const strange = [topUp(1, ringOf('3')), { ...topUp(2, ringOf('1')), address: 'T9' }]
  const addresses = { listByOtherKeys: async () => strange, renewMac: async () => expect.fail('it was renewed') }
  expect(await renewAddressMacs({ addresses, addressMacKeys: rotated })('')).toEqual({
    next: null,
    renewed: 0,
    unreadable: ['000001', '000002'],
  })
})

const box: SecretBox = {
  keyIds: ['2', '1'],
  encrypt: (secret, context) => `2.${context}|${secret}`,
  decrypt: (text, context) => {
    const [key, rest] = [text.slice(0, 2), text.slice(2)]
    return key !== '3.' && rest.startsWith(`${context}|`) ? rest.slice(context.length + 1) : undefined
  },
}
const secretOf = (key: string, secret: string, expiresAt: Date | null): EncryptedSecret => ({
  ciphertext: `${key}.${secretContext('we_1', expiresAt)}|${secret}`,
  lastFour: secret,
  createdAt: at,
  expiresAt,
})

test('each secret keeps its expiry, and one that does not decrypt stays as it is', async () => {
  const secrets = [secretOf('1', 'a', null), secretOf('3', 'b', at)]
  const from = { tenantId: 'ten_1', id: 'we_1', secrets }
  const written: unknown[] = []
  const webhooks = {
    listByOtherKeys: async () => [from],
    renewSecrets: async (...call: readonly unknown[]) => {
      written.push(call)
      return true
    },
  }
  expect(await renewSecrets({ webhooks, secretBox: box })('')).toEqual({ next: null, renewed: 1, unreadable: ['we_1'] })
  expect(written).toEqual([[from, [secretOf('2', 'a', null), secrets[1]]]])
})

test('an endpoint without a secret that decrypts is reported and not written', async () => {
  const secrets = [secretOf('3', 'a', null), secretOf('3', 'b', at)]
  const webhooks = {
    listByOtherKeys: async () => [{ tenantId: 'ten_1', id: 'we_1', secrets }],
    renewSecrets: async () => expect.fail('it was written'),
  }
  const renewal = await renewSecrets({ webhooks, secretBox: box })('')
  expect(renewal).toEqual({ next: null, renewed: 0, unreadable: ['we_1'] })
})
