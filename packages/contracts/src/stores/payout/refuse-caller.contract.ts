import { type ApiKey, bob, type Tenant, usdt } from '@quipu/core'
import { describe, expect, test } from 'vitest'
import { balanceOf } from '../../fixtures/balance-of.ts'
import { someAdmin, someOperator } from '../../fixtures/builders.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import { keyProposal, newKey } from '../../fixtures/new-key.ts'

type Needed = 'payouts' | 'quotes' | 'resolutions' | 'wallets' | 'proposals' | 'tenants' | 'apiKeys'
type Harness = World<Needed>

/** A revoked key, a suspended tenant and lower limits act on the next write, whatever a process remembers. */
export function refuseCallerTests(open: OpenHarness<Needed>): void {
  describe('who may write', () => {
    const world = useWorld(open)

    test('a payout keeps the key that asked for it', async () => {
      const { w, tenantId, keyId, quote } = await caller(world)
      const accepted = w.acceptCommit(await quote(), { keyId })
      const ended = w.insertEndedCommit(await quote(), { keyId })
      for (const write of [accepted, ended]) {
        expect(await w.payouts.commit(write)).not.toBe('not_allowed')
        expect(await w.payouts.get(tenantId, write.step.payout.id)).toMatchObject({ keyId })
      }
    })

    test.each<[string, (of: Caller) => Promise<Pick<Caller, 'keyId'>>]>([
      ['a revoked key', async (of) => of.w.apiKeys.revoke(of.key, someOperator).then(() => of)],
      ['a suspended tenant', async (of) => suspend(of.w, of.tenant).then(() => of)],
      ['an unknown key', async () => ({ keyId: 'key_unknown' })],
      ['the key of another tenant', async ({ w }) => caller(w)],
      ['a key that nobody has approved', async ({ w, tenantId }) => proposed(w, tenantId)],
      [
        'a key that expires at this instant',
        async ({ w, tenantId, quote }) => ({
          keyId: await issued(w, tenantId, { expiresAt: (await quote()).createdAt }),
        }),
      ],
    ])('%s neither pays, nor ends a payout, nor gets a quote or a resolution', async (_, refuse) => {
      const of = await caller(world)
      const { w, tenantId, quote } = of
      const [first, second] = [await quote(), await quote()]
      const draft = { ...second, id: w.ids.uuid(second.createdAt) }
      const unread = { ...(await w.newResolution(tenantId)), id: w.ids.next('qrr', second.createdAt) }
      const { keyId } = await refuse(of)
      for (const write of [
        w.acceptCommit(first, { keyId, transactionId: 'tx' }),
        w.insertEndedCommit(first, { keyId, transactionId: 'tx' }),
      ])
        expect(await w.payouts.commit(write)).toBe('not_allowed')
      expect(await w.payouts.find(tenantId, 'tx')).toBeUndefined()
      expect(await balanceOf(w, tenantId)).toEqual({ available: 100n, held: 0n })
      const { createdAt: _at, expiresAt: _until, ...unsaved } = draft
      expect(await w.quotes.insert(unsaved, 60, keyId)).toBe('not_allowed')
      expect(await w.quotes.find(tenantId, draft.id)).toBeUndefined()
      expect(await w.resolutions.insert(unread, keyId)).toBe('not_allowed')
      expect(await w.resolutions.find(tenantId, unread.id)).toBeUndefined()
    })

    test('a stored cap below the target refuses, and one that equals it does not', async () => {
      const { w, tenant, tenantId, keyId } = await caller(world)
      const quote = await w.newQuote(tenantId, { source: usdt(10n) })
      const capAt = async (paymentCap: bigint, revision: number): Promise<void> => {
        const pricing = { ...tenant.pricing, paymentCap: bob(paymentCap) }
        const changed = { ...tenant, pricing, revision }
        expect(await w.tenants.update(changed, 'tenant.update', someAdmin)).toBe('committed')
      }
      await capAt(quote.target.minor - 1n, 2)
      const write = w.acceptCommit(quote, { keyId })
      expect(await w.payouts.commit(write)).toBe('above_cap')
      expect(await balanceOf(w, tenantId)).toEqual({ available: 100n, held: 0n })
      await capAt(quote.target.minor, 3)
      expect(await w.payouts.commit(write)).toBe('committed')
    })

    test('of concurrent payouts only those of an allowed key are accepted', async () => {
      const { w, tenantId, keyId, key, quote } = await caller(world)
      const revoked = await issued(w, tenantId)
      await w.apiKeys.revoke({ ...key, id: revoked }, someOperator)
      const keys = [keyId, revoked, keyId, revoked, keyId]
      const writes = await Promise.all(keys.map(async (each) => w.acceptCommit(await quote(), { keyId: each })))
      const results = await Promise.all(writes.map((write) => w.payouts.commit(write)))
      expect(results).toEqual(keys.map((each) => (each === keyId ? 'committed' : 'not_allowed')))
      expect(await balanceOf(w, tenantId)).toEqual({ available: 70n, held: 30n })
    })
  })
}

async function issued(w: Harness, tenantId: string, over: Partial<ApiKey> = {}): Promise<string> {
  const key = { ...newKey(w, tenantId), ...over }
  expect(await w.apiKeys.issue(key, someAdmin)).toBe('committed')
  return key.id
}

async function proposed(w: Harness, tenantId: string): Promise<Pick<Caller, 'keyId'>> {
  const key = { ...newKey(w, tenantId), prefix: 'qpu_live_' }
  expect(await w.apiKeys.propose(key, keyProposal(w, key), someAdmin)).toBe('committed')
  return { keyId: key.id }
}

const suspend = (w: Harness, tenant: Tenant): Promise<unknown> =>
  w.tenants.update({ ...tenant, status: 'suspended', revision: 2 }, 'tenant.suspend', someOperator)

type Caller = Awaited<ReturnType<typeof caller>>

/** A tenant with 0.000100 USDT and a key. */
async function caller(w: Harness) {
  const tenantId = await w.newWallet(usdt(100n))
  const tenant = await w.tenants.find(tenantId)
  const key = newKey(w, tenantId)
  expect(await w.apiKeys.issue(key, someAdmin)).toBe('committed')
  if (!tenant) throw new Error('the tenant is there')
  const quote = () => w.newQuote(tenantId, { source: usdt(10n) })
  return { w, tenant, tenantId, key, keyId: key.id, quote }
}
