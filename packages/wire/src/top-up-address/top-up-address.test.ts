import type { TopUpAddress } from '@quipu/core'
import { anyId, anyInstant } from '@quipu/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { operatorTopUpAddress, operatorTopUpAddressToJson } from './top-up-address.ts'

const anyTopUp: fc.Arbitrary<TopUpAddress> = fc.record({
  tenantId: anyId('ten'),
  chain: fc.constant('tron' as const),
  index: fc.nat(),
  account: fc.stringMatching(/^[0-9a-f]{40}$/),
  address: fc.stringMatching(/^T[1-9A-HJ-NP-Za-km-z]{33}$/),
  mac: fc.stringMatching(/^[0-9a-f]{64}$/),
  createdAt: anyInstant,
  retiredAt: fc.option(anyInstant),
})

test('an address shows its tenant, its chain and when it was retired', () => {
  fc.assert(
    fc.property(anyTopUp, (topUp) => {
      const json = operatorTopUpAddressToJson(topUp)
      expect(operatorTopUpAddress.parse(json)).toEqual(json)
      expect(json).toEqual({
        tenant_id: topUp.tenantId,
        chain: 'tron',
        currency: 'USDT',
        address: topUp.address,
        created_at: topUp.createdAt.toISOString(),
        retired_at: topUp.retiredAt?.toISOString() ?? null,
      })
    }),
  )
})
