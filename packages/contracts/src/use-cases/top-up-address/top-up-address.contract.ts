import { describe, expect, test } from 'vitest'
import { auditEntries } from '../../fixtures/audit-entries.ts'
import { ensureTopUpAddress, type Alert, Unavailable } from '@quipu/core'
import { someInstant } from '../../fixtures/instants.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { testAddresses, testMacKeys } from '../../fixtures/deposit/addresses.ts'
import { depositHarness } from '../../fixtures/deposit/deposit-harness.ts'
import { operatorNamed } from '../../fixtures/proposal/operators.ts'

type Needed = 'wallets' | 'proposals' | 'tenants' | 'events' | 'audit' | 'addresses' | 'scans' | 'deposits'

export function topUpAddressTests(open: OpenHarness<Needed>): void {
  describe('the top-up address', () => {
    const w = useWorld(open)

    test('an address whose MAC does not match throws Unavailable and raises an alert', async () => {
      const { tenantId, topUp } = await depositHarness(w)
      const alerts: Alert[] = []
      const ports = {
        addresses: w.addresses,
        addressSource: testAddresses,
        addressMacKeys: [{ id: '1', key: new Uint8Array(32) }] as const,
        now: () => someInstant,
        raiseAlert: (alert: Alert) => void alerts.push(alert),
      }
      await expect(ensureTopUpAddress(ports, 'tron')(tenantId)).rejects.toThrow(Unavailable)
      expect(alerts).toMatchObject([{ code: 'ADDRESS_MAC_MISMATCH', tenantId, subject: topUp.address }])
      const swapped = { ...topUp, address: 'Tthief' }
      const addresses = { ...w.addresses, list: async () => [swapped] }
      const tampered = ensureTopUpAddress({ ...ports, addresses, addressMacKeys: testMacKeys }, 'tron')
      await expect(tampered(tenantId)).rejects.toThrow(Unavailable)
    })

    test('rotate retires the address with an audit entry, and the next call makes another', async () => {
      const { tenantId, topUp, rotate, ensure } = await depositHarness(w)
      const retired = await rotate(operatorNamed('ana'), tenantId)
      expect(retired).toMatchObject({ address: topUp.address })
      expect(await rotate(operatorNamed('ana'), tenantId)).toBeUndefined()
      expect((await ensure(tenantId)).address).not.toBe(topUp.address)
      expect(await auditEntries(w.audit, { subject: tenantId, limit: 1 })).toMatchObject([
        {
          actor: 'ana',
          action: 'top_up_address.rotate',
          tenantId,
          before: { address: topUp.address, retired_at: null },
          after: { address: topUp.address, retired_at: retired?.retiredAt?.toISOString() },
        },
      ])
    })
  })
}
