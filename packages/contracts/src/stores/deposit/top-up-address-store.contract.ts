import { describe, expect, test } from 'vitest'
import { accountOf, newTopUp, topUpMaker } from '../../fixtures/deposit/addresses.ts'
import { topUpAddressRetired } from '@quipu/core'
import { someInstant } from '../../fixtures/builders.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'

type Needed = 'tenants' | 'audit' | 'addresses'

/** What every `TopUpAddressStore` must do, as tests. */
export function topUpAddressStoreContract(name: string, open: OpenHarness<Needed>): void {
  describe(`top-up address store in ${name}`, () => {
    const world = useWorld(open)
    const newTenantId = async (w: World<Needed>) => (await w.newTenant()).id
    const later = new Date(someInstant.getTime() + 60_000)
    const retire = (w: World<Needed>, tenantId: string) =>
      w.addresses.retire(tenantId, 'tron', { actor: 'ana', at: later })

    test('a new tenant has none, and the first one asked for is made and kept as it was made', async () => {
      const w = world()
      const tenantId = await newTenantId(w)
      expect(await w.addresses.list(tenantId)).toEqual([])
      const made = await newTopUp(w, tenantId)
      expect(made).toEqual({ ...topUpMaker(tenantId)(made.index), retiredAt: null })
      expect(await w.addresses.list(tenantId)).toEqual([made])
    })

    test('who has one gets it again, and nothing is made', async () => {
      const w = world()
      const tenantId = await newTenantId(w)
      const made = await newTopUp(w, tenantId)
      const again = await w.addresses.ensure(tenantId, 'tron', () => {
        throw new Error('another address was made')
      })
      expect(again).toEqual(made)
    })

    test('50 that come at once get one address, which is made once', async () => {
      const w = world()
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

    test('no two addresses have one index, whoever they are for, in one life or two', async () => {
      const w = world()
      const tenantIds = await Promise.all(Array.from({ length: 12 }, () => newTenantId(w)))
      const first = await Promise.all(tenantIds.map((id) => newTopUp(w, id)))
      for (const id of tenantIds) expect(await retire(w, id)).toBe(true)
      const second = await Promise.all(tenantIds.map((id) => newTopUp(w, id)))
      const indexes = [...first, ...second].map(({ index }) => index)
      expect(new Set(indexes).size).toBe(24)
      for (const index of indexes) {
        expect(Number.isInteger(index) && index >= 0 && index < 2 ** 31).toBe(true)
      }
    })

    test('one that cannot be made is not stored, and the next try makes it', async () => {
      const w = world()
      const tenantId = await newTenantId(w)
      const broken = w.addresses.ensure(tenantId, 'tron', () => {
        throw new Error('no key')
      })
      await expect(broken).rejects.toThrow('no key')
      expect(await w.addresses.list(tenantId)).toEqual([])
      expect((await newTopUp(w, tenantId)).tenantId).toBe(tenantId)
    })

    test('there is no address without a tenant', async () => {
      const w = world()
      await expect(newTopUp(w, w.ids.next('ten', someInstant))).rejects.toThrow()
    })

    test('a retired address is the tenant’s no more, and is watched for ever', async () => {
      const w = world()
      const tenantId = await newTenantId(w)
      const old = await newTopUp(w, tenantId)
      expect(await retire(w, tenantId)).toBe(true)
      expect(await w.addresses.list(tenantId)).toEqual([])
      const next = await newTopUp(w, tenantId)
      expect(next.address).not.toBe(old.address)
      expect(await w.addresses.list(tenantId)).toEqual([next])
      const found = await w.addresses.match('tron', [old.account, next.account])
      expect(found.toSorted((a, b) => a.index - b.index)).toEqual(
        [{ ...old, retiredAt: later }, next].toSorted((a, b) => a.index - b.index),
      )
    })

    test('retiring writes its audit row, once, and only when there is something to retire', async () => {
      const w = world()
      const tenantId = await newTenantId(w)
      expect(await retire(w, tenantId)).toBe(false)
      const made = await newTopUp(w, tenantId)
      const results = await Promise.all([1, 2, 3].map(() => retire(w, tenantId)))
      expect(results.filter(Boolean)).toHaveLength(1)
      const rows = await w.audit.list({ subject: tenantId, limit: 10 })
      expect(rows.filter(({ action }) => action === 'top_up_address.rotate')).toEqual([
        topUpAddressRetired(made, { actor: 'ana', at: later }),
      ])
    })

    test('one tenant’s retirement leaves another’s address alone', async () => {
      const w = world()
      const [one, other] = [await newTenantId(w), await newTenantId(w)]
      const [, kept] = [await newTopUp(w, one), await newTopUp(w, other)]
      await retire(w, one)
      expect(await w.addresses.list(other)).toEqual([kept])
    })

    test('of a block’s accounts those are found that are ours, each once', async () => {
      const w = world()
      const [one, other] = [await newTenantId(w), await newTenantId(w)]
      const ours = [await newTopUp(w, one), await newTopUp(w, other)]
      const strangers = Array.from({ length: 2_000 }, (_, n) => accountOf(`stranger ${n}`))
      const accounts = [...strangers, ...ours, ...ours].map((each) =>
        typeof each === 'string' ? each : each.account,
      )
      const found = await w.addresses.match('tron', accounts)
      expect(found.toSorted((a, b) => a.index - b.index)).toEqual(
        ours.toSorted((a, b) => a.index - b.index),
      )
      expect(await w.addresses.match('tron', strangers)).toEqual([])
      expect(await w.addresses.match('tron', [])).toEqual([])
    })
  })
}
