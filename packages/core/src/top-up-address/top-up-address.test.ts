import { describe, expect, test } from 'vitest'
import type { Alert } from '../alert.ts'
import { addressMac } from './address-mac.ts'
import type { AddressSource, Chain } from '../chain/chain.ts'
import type { TopUpAddress, TopUpAddressStore } from './ports.ts'
import { ensureTopUpAddress, rotateTopUpAddress } from './top-up-address.ts'
import { operatorNamed } from '../audit/operator.fixture.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const addressMacKeys = [{ id: '1', key: new Uint8Array(32).fill(7) }] as const
const addressSource: AddressSource = { derive: (index) => ({ account: `account ${index}`, address: `T${index}` }) }
const rowOf = (index: number, chain: Chain = 'tron'): TopUpAddress => {
  const place = { tenantId: 'ten_1', chain, index, ...addressSource.derive(index) }
  return { ...place, mac: addressMac(addressMacKeys, place), createdAt: now, retiredAt: null }
}
const ofAnotherChain = rowOf(1, 'another chain' as Chain)

describe('the address of a tenant', () => {
  /** Ensures an address beside these rows, where 7 is the next index. */
  const ensure = async (rows: readonly TopUpAddress[]) => {
    const alerts: Alert[] = []
    const made: unknown[] = []
    const addresses: Pick<TopUpAddressStore, 'list' | 'ensure'> = {
      list: async (tenantId) => (tenantId === 'ten_1' ? rows : []),
      ensure: async (tenantId, chain, make) => {
        const row = { ...make(7), retiredAt: null }
        made.push([tenantId, chain, row])
        return row
      },
    }
    const ports = { addresses, addressSource, addressMacKeys, now: () => now }
    const raiseAlert = (alert: Alert): void => void alerts.push(alert)
    const topUp = ensureTopUpAddress({ ...ports, raiseAlert }, 'tron')('ten_1')
    const result = await topUp.catch((error: unknown) => error)
    return { result, alerts, made }
  }

  test('is the stored one of the chain', async () => {
    const seen = await ensure([ofAnotherChain, rowOf(2)])
    expect(seen).toEqual({ result: rowOf(2), alerts: [], made: [] })
  })

  test('is derived from the next index when there is none on the chain, with its MAC', async () => {
    const seen = await ensure([ofAnotherChain])
    expect(seen).toEqual({ result: rowOf(7), alerts: [], made: [['ten_1', 'tron', rowOf(7)]] })
  })

  test('is not returned when its MAC does not match, and an alert names it', async () => {
    const { result, alerts, made } = await ensure([{ ...rowOf(2), address: 'Tthief' }])
    expect(result).toMatchObject({
      name: 'Unavailable',
      dependency: 'store',
      message: 'store unavailable: the MAC of the top-up address of ten_1 does not match',
    })
    expect(alerts).toEqual([
      { code: 'ADDRESS_MAC_MISMATCH', tenantId: 'ten_1', subject: 'Tthief', detail: 'its MAC does not match' },
    ])
    expect(made).toEqual([])
  })
})

describe('rotating the address of a tenant', () => {
  const rotate = async (rows: readonly TopUpAddress[], retirement: 'committed' | 'stale' = 'committed') => {
    const retired: unknown[] = []
    const addresses: Pick<TopUpAddressStore, 'list' | 'retire'> = {
      list: async (tenantId) => (tenantId === 'ten_1' ? rows : []),
      retire: async (...args) => {
        retired.push(args)
        return retirement
      },
    }
    const result = await rotateTopUpAddress({ addresses, now: () => now }, 'tron')(operatorNamed('ana'), 'ten_1')
    return { result, retired }
  }

  test('retires the one of the chain, with the actor and the instant', async () => {
    expect(await rotate([ofAnotherChain, rowOf(2)])).toEqual({
      result: { ...rowOf(2), retiredAt: now },
      retired: [['ten_1', 'tron', { ...operatorNamed('ana'), at: now }]],
    })
  })

  test('does nothing without an address, or when another operator was first', async () => {
    expect(await rotate([ofAnotherChain])).toEqual({ result: undefined, retired: [] })
    expect(await rotate([rowOf(2)], 'stale')).toMatchObject({ result: undefined })
  })
})
