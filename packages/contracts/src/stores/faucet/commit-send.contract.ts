import { describe, expect, test } from 'vitest'
import { usdt } from '@quipu/core'
import type { FaucetLimitCheck } from '@quipu/core/adapter'
import { commitSend, usageSums, newDraft, newSend, noLimits, plainSend } from '../../fixtures/faucet/sends.ts'
import { hashOf } from '../../fixtures/deposit/addresses.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'

type Needed = 'tenants' | 'faucet'

const refusing: FaucetLimitCheck = () => ({ code: 'FAUCET_TOO_SOON', retryAfterSeconds: 7 })
const nothing = { tenant: 0n, requests: 0, address: 0n, shared: 0n }

export function commitSendTests(open: OpenHarness<Needed>): void {
  describe('committing sends', () => {
    const w = useWorld(open, 'each')
    const newTenantId = async (w: World<Needed>) => (await w.newTenant()).id

    test('reads back a send as committed, byte for byte', async () => {
      const tenantId = await newTenantId(w)
      const draft = newDraft(w, tenantId, { key: 'an-attempt' })
      const before = (await w.faucet.usage(tenantId, draft.account, 60)).now
      const remainingToday = usdt(123_456_789n)
      const committed = await w.faucet.commit(draft, () => ({ remainingToday }), noLimits, 100)
      const after = (await w.faucet.usage(tenantId, draft.account, 60)).now
      const send = await w.faucet.find(tenantId, 'an-attempt')
      const createdAt = send?.createdAt ?? before
      expect(plainSend(send)).toEqual(plainSend({ ...draft, status: 'submitted', remainingToday, createdAt }))
      expect(committed.type === 'committed' && plainSend(committed.send)).toEqual(plainSend(send))
      expect(plainSend(await w.faucet.get(tenantId, draft.id))).toEqual(plainSend(send))
      expect(createdAt.getTime()).toBeGreaterThanOrEqual(before.getTime())
      expect(createdAt.getTime()).toBeLessThanOrEqual(after.getTime())
    })

    test('stores the largest amount exactly', async () => {
      const tenantId = await newTenantId(w)
      const amount = usdt(2n ** 63n - 1n)
      const { key } = await newSend(w, tenantId, { amount, checkLimits: () => ({ remainingToday: amount }) })
      expect(await w.faucet.find(tenantId, key)).toMatchObject({ amount, remainingToday: amount })
    })

    test('finds neither an unknown key nor another tenant’s', async () => {
      const [one, other] = [await newTenantId(w), await newTenantId(w)]
      await newSend(w, one, { key: 'attempt' })
      expect(await w.faucet.find(one, 'Attempt')).toBeUndefined()
      expect(await w.faucet.find(other, 'attempt')).toBeUndefined()
      const { id } = (await w.faucet.find(one, 'attempt')) ?? { id: '' }
      expect(await w.faucet.get(one, id)).toMatchObject({ id })
      expect(await w.faucet.get(other, id)).toBeUndefined()
      expect(await w.faucet.get(one, w.ids.uuid(someInstant))).toBeUndefined()
    })

    test('spec §4 — any string is a key, and different strings are different keys', async () => {
      const tenantId = await newTenantId(w)
      const visible = String.fromCharCode(...Array.from({ length: 94 }, (_, n) => 33 + n))
      const bytes = String.fromCharCode(9, 32, ...Array.from({ length: 128 }, (_, n) => 128 + n))
      const long = ['K'.repeat(255), 'k'.repeat(255), 'ÿ'.repeat(255)]
      const keys = [visible, `${visible}!`, bytes, ...long, '1', '01', 'a b', 'a  b', `'"\\%_$1`]
      for (const key of keys) await newSend(w, tenantId, { key, fingerprint: `v1:${key}` })
      for (const key of keys)
        expect(await w.faucet.find(tenantId, key)).toMatchObject({ key, fingerprint: `v1:${key}` })
    })

    test('a used key returns its first send, even above the limits', async () => {
      const tenantId = await newTenantId(w)
      const send = await newSend(w, tenantId, { key: 'attempt' })
      const again = await commitSend(w, tenantId, { key: 'attempt', checkLimits: refusing })
      expect(again.type === 'stored' && plainSend(again.send)).toEqual(plainSend(send))
      expect(await usageSums(w, tenantId)).toMatchObject({ requests: 1 })
    })

    test('tenants do not share keys', async () => {
      const [one, other] = [await newTenantId(w), await newTenantId(w)]
      const [first, second] = [await newSend(w, one, { key: 'attempt' }), await newSend(w, other, { key: 'attempt' })]
      expect(second.id).not.toBe(first.id)
      expect(await w.faucet.find(one, 'attempt')).toMatchObject({ id: first.id })
      expect(await w.faucet.find(other, 'attempt')).toMatchObject({ id: second.id })
    })

    test('of 30 concurrent commits with one key one commits, and the others return its send', async () => {
      const tenantId = await newTenantId(w)
      const all = await Promise.all(Array.from({ length: 30 }, () => commitSend(w, tenantId, { key: 'attempt' })))
      const committed = all.flatMap((each) => (each.type === 'committed' ? [each.send] : []))
      expect(committed).toHaveLength(1)
      const known = all.flatMap((each) => (each.type === 'stored' ? [each.send] : []))
      expect(known.map(plainSend)).toEqual(Array.from({ length: 29 }, () => plainSend(committed[0])))
      expect(await usageSums(w, tenantId)).toMatchObject({ requests: 1, tenant: 25_000_000n })
    })

    test('a refusal writes nothing, has its reason, and leaves the key free', async () => {
      const tenantId = await newTenantId(w)
      const options = { key: 'attempt', txHash: hashOf('one') }
      expect(await commitSend(w, tenantId, { ...options, checkLimits: refusing })).toEqual({
        type: 'refused',
        refusal: { code: 'FAUCET_TOO_SOON', retryAfterSeconds: 7 },
      })
      expect(await w.faucet.find(tenantId, 'attempt')).toBeUndefined()
      expect(await usageSums(w, tenantId)).toEqual(nothing)
      expect(await commitSend(w, tenantId, options)).toMatchObject({ type: 'committed' })
    })

    test('a decision that throws writes nothing and locks nothing', async () => {
      const tenantId = await newTenantId(w)
      const broken = (): never => {
        throw new Error('a bug')
      }
      const committed = commitSend(w, tenantId, { key: 'attempt', checkLimits: broken })
      await expect(committed).rejects.toThrow('a bug')
      expect(await usageSums(w, tenantId)).toEqual(nothing)
      expect(await commitSend(w, tenantId, { key: 'attempt' })).toMatchObject({ type: 'committed' })
    })

    test('a transaction hash of another send is a collision: nothing is written, the key stays free', async () => {
      const [one, other] = [await newTenantId(w), await newTenantId(w)]
      const txHash = hashOf('one transaction')
      await newSend(w, one, { txHash })
      const before = await usageSums(w, other)
      expect(await commitSend(w, other, { key: 'attempt', txHash })).toEqual({ type: 'collision' })
      expect(await w.faucet.find(other, 'attempt')).toBeUndefined()
      expect(await usageSums(w, other)).toEqual(before)
      expect(await commitSend(w, other, { key: 'attempt' })).toMatchObject({ type: 'committed' })
    })

    test('exactly one of 10 concurrent commits with one transaction hash commits', async () => {
      const tenantIds = await Promise.all(Array.from({ length: 10 }, () => newTenantId(w)))
      const txHash = hashOf('one transaction')
      const all = await Promise.all(tenantIds.map((id) => commitSend(w, id, { txHash })))
      expect(all.map(({ type }) => type).toSorted()).toEqual([
        ...Array.from({ length: 9 }, () => 'collision'),
        'committed',
      ])
      expect(await usageSums(w, tenantIds[0] ?? '')).toMatchObject({ shared: 25_000_000n })
    })

    test('throws for an unknown tenant', async () => {
      const unknownTenant = w.ids.next('ten', someInstant)
      await expect(commitSend(w, unknownTenant)).rejects.toThrow()
      expect(await usageSums(w, unknownTenant)).toEqual(nothing)
    })
  })
}
