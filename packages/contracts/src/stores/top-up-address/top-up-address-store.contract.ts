import { describe, expect, test } from 'vitest'
import { auditEntries } from '../../fixtures/audit-entries.ts'
import { accountOf, newTopUp, topUpMaker } from '../../fixtures/deposit/addresses.ts'
import { topUpAddressRetired } from '@quipu/core/adapter'
import { someInstant } from '../../fixtures/instants.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import { authorOf, credentialOf } from '../../fixtures/proposal/operators.ts'

type Needed = 'tenants' | 'audit' | 'addresses'

/** The contract of a `TopUpAddressStore`. */
export function topUpAddressStoreContract(name: string, open: OpenHarness<Needed>): void {
  describe(`top-up address store in ${name}`, () => {
    const w = useWorld(open)
    const newTenantId = async (w: World<Needed>) => (await w.newTenant()).id
    const later = new Date(someInstant.getTime() + 60_000)
    const retire = (w: World<Needed>, tenantId: string) =>
      w.addresses.retire(tenantId, 'tron', { ...credentialOf('ana'), at: later })

    test('ensure creates a new tenant’s first address and stores it as made', async () => {
      const tenantId = await newTenantId(w)
      expect(await w.addresses.list(tenantId)).toEqual([])
      const made = await newTopUp(w, tenantId)
      expect(made).toEqual({ ...topUpMaker(tenantId)(made.index), retiredAt: null })
      expect(await w.addresses.list(tenantId)).toEqual([made])
    })

    test('all addresses of a tenant are listed, also retired ones, the newest first', async () => {
      const [tenantId, otherId] = [await newTenantId(w), await newTenantId(w)]
      const first = await newTopUp(w, tenantId)
      await retire(w, tenantId)
      const second = await newTopUp(w, tenantId)
      await newTopUp(w, otherId)
      expect(await w.addresses.listAll(tenantId, 9)).toEqual([second, { ...first, retiredAt: later }])
      expect(await w.addresses.listAll(tenantId, 1)).toEqual([second])
    })

    test('ensure returns an existing address without making one', async () => {
      const tenantId = await newTenantId(w)
      const made = await newTopUp(w, tenantId)
      const again = await w.addresses.ensure(tenantId, 'tron', () => {
        throw new Error('another address was made')
      })
      expect(again).toEqual(made)
    })

    test('renewing replaces a MAC that another key made, unless it has changed, also of a retired address', async () => {
      const [tenantId, otherId] = [await newTenantId(w), await newTenantId(w)]
      const retired = await newTopUp(w, tenantId)
      await retire(w, tenantId)
      const topUps = [retired, await newTopUp(w, otherId)]
      const others = async (keyId: string, after = '') =>
        (await w.addresses.listByOtherKeys(keyId, after, 1_000))
          .map(({ account }) => account)
          .filter((account) => topUps.some((topUp) => topUp.account === account))
      const accounts = topUps.map(({ account }) => account).toSorted()
      expect(await others('2')).toEqual(accounts)
      expect(await others('1')).toEqual([])
      expect(await others('2', accounts[0])).toEqual([accounts[1]])
      expect(await w.addresses.listByOtherKeys('2', '', 1)).toHaveLength(1)

      expect(await w.addresses.renewMac(retired, '2.renewed')).toBe(true)
      expect(await w.addresses.renewMac(retired, '2.again')).toBe(false)
      const [stored] = await w.addresses.match('tron', [retired.account])
      expect(stored).toEqual({ ...retired, mac: '2.renewed', retiredAt: later })
      expect(await others('2')).toEqual(accounts.filter((account) => account !== retired.account))
      expect(await w.addresses.keyUse()).toContainEqual({ keyId: '2', count: 1 })
      expect(await w.addresses.sample('2', 5)).toEqual([stored])
      const newest = await w.addresses.sample('1', 1)
      expect(newest).toEqual([topUps[1]])
      expect(await w.addresses.sample('3', 5)).toEqual([])
    })

    test('50 concurrent calls of ensure make and return one address', async () => {
      const tenantId = await newTenantId(w)
      const made: number[] = []
      const all = await Promise.all(
        Array.from({ length: 50 }, () =>
          w.addresses.ensure(tenantId, 'tron', (index) => {
            made.push(index)
            return topUpMaker(tenantId)(index)
          }),
        ),
      )
      expect(made).toHaveLength(1)
      expect(new Set(all.map(({ address }) => address)).size).toBe(1)
      expect(await w.addresses.list(tenantId)).toEqual([all[0]])
    })

    test('every address has its own index, across tenants and after retirement', async () => {
      const tenantIds = await Promise.all(Array.from({ length: 12 }, () => newTenantId(w)))
      const first = await Promise.all(tenantIds.map((id) => newTopUp(w, id)))
      for (const id of tenantIds) expect(await retire(w, id)).toBe('committed')
      const second = await Promise.all(tenantIds.map((id) => newTopUp(w, id)))
      const indexes = [...first, ...second].map(({ index }) => index)
      expect(new Set(indexes).size).toBe(24)
      for (const index of indexes) {
        expect(Number.isInteger(index) && index >= 0 && index < 2 ** 31).toBe(true)
      }
    })

    test('an address whose making fails is not stored, and the next call makes it', async () => {
      const tenantId = await newTenantId(w)
      const broken = w.addresses.ensure(tenantId, 'tron', () => {
        throw new Error('no key')
      })
      await expect(broken).rejects.toThrow('no key')
      expect(await w.addresses.list(tenantId)).toEqual([])
      expect((await newTopUp(w, tenantId)).tenantId).toBe(tenantId)
    })

    test('throws for an unknown tenant', async () => {
      await expect(newTopUp(w, w.ids.next('ten', someInstant))).rejects.toThrow()
    })

    test('a retired address is no longer listed, and is still matched', async () => {
      const tenantId = await newTenantId(w)
      const old = await newTopUp(w, tenantId)
      expect(await retire(w, tenantId)).toBe('committed')
      expect(await w.addresses.list(tenantId)).toEqual([])
      const next = await newTopUp(w, tenantId)
      expect(next.address).not.toBe(old.address)
      expect(await w.addresses.list(tenantId)).toEqual([next])
      const found = await w.addresses.match('tron', [old.account, next.account])
      expect(found.toSorted((a, b) => a.index - b.index)).toEqual(
        [{ ...old, retiredAt: later }, next].toSorted((a, b) => a.index - b.index),
      )
    })

    test('retire writes one audit entry, and none without an address', async () => {
      const tenantId = await newTenantId(w)
      expect(await retire(w, tenantId)).toBe('stale')
      const made = await newTopUp(w, tenantId)
      const results = await Promise.all([1, 2, 3].map(() => retire(w, tenantId)))
      expect(results.filter((result) => result === 'committed')).toHaveLength(1)
      const rows = await auditEntries(w.audit, { subject: tenantId, limit: 10 })
      expect(rows.filter(({ action }) => action === 'top_up_address.rotate')).toEqual([
        topUpAddressRetired(made, authorOf('ana', later)),
      ])
    })

    test('retire does not change another tenant’s address', async () => {
      const [one, other] = [await newTenantId(w), await newTenantId(w)]
      const [, kept] = [await newTopUp(w, one), await newTopUp(w, other)]
      await retire(w, one)
      expect(await w.addresses.list(other)).toEqual([kept])
    })

    test('match finds the known accounts among many, each once', async () => {
      const [one, other] = [await newTenantId(w), await newTenantId(w)]
      const ours = [await newTopUp(w, one), await newTopUp(w, other)]
      const unknown = Array.from({ length: 2_000 }, (_, n) => accountOf(`unknown ${n}`))
      const accounts = [...unknown, ...ours, ...ours].map((each) => (typeof each === 'string' ? each : each.account))
      const found = await w.addresses.match('tron', accounts)
      expect(found.toSorted((a, b) => a.index - b.index)).toEqual(ours.toSorted((a, b) => a.index - b.index))
      expect(await w.addresses.match('tron', unknown)).toEqual([])
      expect(await w.addresses.match('tron', [])).toEqual([])
    })
  })
}
