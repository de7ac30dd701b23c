import { describe, expect, test } from 'vitest'
import { defaultDepositRules, type ReviewCode, Unavailable } from '@quipu/core'
import { type DepositStores, type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { someOperator } from '../../fixtures/builders.ts'
import { accountOf } from '../../fixtures/deposit/addresses.ts'
import { type DepositHarness, depositHarness, serviceAccount } from '../../fixtures/deposit/deposit-harness.ts'
import { operatorNamed } from '../../fixtures/proposal/operators.ts'

export function settleDepositTests(open: OpenHarness<DepositStores>): void {
  describe('settling', () => {
    const w = useWorld(open, 'each')
    const { verifyFrom } = defaultDepositRules

    /** A deposit in a solid block, scanned and not settled. */
    async function solidDeposit(value = 5_000_000n, from = accountOf('sender')) {
      const harness = await depositHarness(w)
      const { chain, topUp, solid } = harness
      chain.mine(chain.pay(topUp.account, value, { from }))
      chain.solidify()
      await solid()
      return harness
    }
    const inReview = (reviewCode: ReviewCode) => [{ status: 'in_review', reviewCode }]

    test('waits during an outage of the chain, and is then settled', async () => {
      const { chain, settle, deposit } = await solidDeposit()
      chain.onCall = () => {
        throw new Unavailable('chain', 'connection refused')
      }
      expect(await settle()).toMatchObject([{ status: 'pending' }])
      expect(await settle()).toEqual([])
      chain.onCall = () => undefined
      await w.advance(6)
      expect(await settle()).toMatchObject([{ status: 'credited' }])
      expect((await deposit()).status).toBe('credited')
    })

    test.each<[ReviewCode, (harness: DepositHarness) => unknown]>([
      ['SENDER_BLOCKED', ({ chain }) => chain.blocked.add(accountOf('sender'))],
      ['ADDRESS_FROZEN', ({ chain, topUp }) => chain.blocked.add(topUp.account)],
      ['ADDRESS_RETIRED', ({ rotate, tenantId }) => rotate(operatorNamed('ana'), tenantId)],
      ['TENANT_NOT_ACTIVE', ({ tenantId }) => suspend(tenantId)],
      ['TOKEN_STATE_CHANGED', ({ chain }) => Object.assign(chain, { tokenState: 'paused' })],
      ['TOKEN_STATE_CHANGED', ({ chain }) => Object.assign(chain, { tokenState: 'deprecated' })],
      ['TOKEN_STATE_CHANGED', ({ chain }) => Object.assign(chain, { tokenState: 'charges_fee' })],
    ])('%s (%#) puts it in review with its event, and moves nothing', async (reviewCode, happens) => {
      const harness = await solidDeposit()
      await happens(harness)
      expect(await harness.settle()).toMatchObject(inReview(reviewCode))
      const { id } = await harness.deposit()
      expect(await harness.eventTypes(id)).toEqual(['deposit.pending', 'deposit.in_review'])
      expect(await harness.available()).toBe(0n)
    })
    const suspend = async (tenantId: string) => {
      const tenant = await w.tenants.find(tenantId)
      if (!tenant) throw new Error('the tenant was just created')
      await w.tenants.update({ ...tenant, status: 'suspended', revision: 2 }, 'tenant.suspend', someOperator)
    }

    test('a transfer of the service itself, or from a top-up address, is put in review', async () => {
      const { chain, topUp, settle, finalizeAll } = await solidDeposit(5_000_000n, serviceAccount)
      expect(await settle()).toMatchObject(inReview('SENDER_IS_SERVICE'))
      chain.mine(chain.pay(topUp.account, 6_000_000n, { from: topUp.account }))
      expect(await finalizeAll()).toMatchObject(inReview('SENDER_IS_SERVICE'))
    })

    test('a frozen address raises an alert with what to do', async () => {
      const { chain, topUp, settle, alerts, tenantId, deposit } = await solidDeposit()
      chain.blocked.add(topUp.account)
      await settle()
      const detail = `deposit ${(await deposit()).id} arrived at it; the token’s issuer has frozen it, so nothing at it can move: rotate the tenant’s top-up address`
      expect(alerts).toEqual([{ code: 'ADDRESS_FROZEN', tenantId, subject: topUp.address, detail }])
    })

    test('a dropped transfer is put in review without calling the chain', async () => {
      const { chain, topUp, head, solid, settle } = await depositHarness(w)
      chain.mine()
      chain.solidify()
      await solid()
      const tx = chain.pay(topUp.account, 5_000_000n)
      chain.mine(tx)
      chain.mine()
      await head()
      chain.fork(2)
      chain.mine({ ...tx, failed: true })
      chain.solidify()
      await solid()
      chain.onCall = () => {
        throw new Unavailable('chain', 'connection refused')
      }
      expect(await settle()).toMatchObject(inReview('TRANSFER_DROPPED'))
    })

    test('a large amount waits until the second provider has its block, and is then credited', async () => {
      const { verifier, settle, available, alerts } = await solidDeposit(verifyFrom.minor)
      verifier.showBlock = () => undefined
      for (let round = 0; round < 6; round++) {
        expect(await settle()).toMatchObject([{ status: 'pending' }])
        await w.advance(301)
      }
      verifier.onCall = () => {
        throw new Unavailable('chain', 'connection refused')
      }
      expect(await settle()).toMatchObject([{ status: 'pending' }])
      await w.advance(301)
      verifier.onCall = () => undefined
      verifier.showBlock = (_, block) => block
      expect(await settle()).toMatchObject([{ status: 'credited' }])
      expect(await available()).toBe(verifyFrom.minor)
      expect(alerts).toEqual([])
    })

    test('ADDRESS_NOT_VERIFIED: the address fails its check, until it passes', async () => {
      const { deposits } = w
      const { settleOne, settle, alerts, topUp, available } = await solidDeposit()
      const forgedClaim = async () => {
        const [claimed] = await deposits.claimDue(1, 100)
        if (claimed === undefined) throw new Error('a deposit is due')
        return { ...claimed, topUp: { ...topUp, index: topUp.index + 1 } }
      }
      const { deposit } = await settleOne(await forgedClaim())
      expect(deposit).toMatchObject(inReview('ADDRESS_NOT_VERIFIED')[0] ?? {})
      expect(alerts).toMatchObject([{ code: 'ADDRESS_MAC_MISMATCH', subject: topUp.address }])
      expect(await available()).toBe(0n)
      await w.advance(301)
      const again = await settleOne(await forgedClaim())
      expect(again.problem).toBe('its top-up address fails its integrity check')
      expect(alerts).toHaveLength(1)
      await w.advance(301)
      expect(await settle()).toMatchObject([{ status: 'credited' }])
      expect(await available()).toBe(5_000_000n)
    })

    test('dust makes no case: it is closed at once, in lists and without an alert', async () => {
      const { settle, alerts, deposits, chain, eventTypes, available } = await solidDeposit(9_999n)
      chain.onCall = () => {
        throw new Error('the chain was asked')
      }
      expect(await settle()).toMatchObject([
        { ...inReview('AMOUNT_BELOW_MINIMUM')[0], closed: { actor: null, reason: 'DUST' } },
      ])
      expect(alerts).toEqual([])
      const [deposit] = await deposits()
      expect(await eventTypes(deposit?.id ?? '')).toEqual(['deposit.pending', 'deposit.in_review'])
      const open = await w.deposits.listAll({ limit: 10, open: true, status: 'in_review' })
      expect(open.items).toEqual([])
      expect(await available()).toBe(0n)
    })

    test('the reason why a deposit waits is kept with its next attempt', async () => {
      const { verifier, settle, deposit } = await solidDeposit(verifyFrom.minor)
      verifier.showBlock = () => undefined
      await settle()
      const { id } = await deposit()
      const attempts = await w.deposits.attempts(id)
      expect(attempts?.problem).toMatch(/^the second provider does not have solid block \d+ yet$/)
      expect(attempts?.claimCount).toBe(1)
    })

    test('a lost claim returns the settlement of its rival', async () => {
      const { chain, settle, available } = await solidDeposit()
      let rival: unknown
      chain.onCall = async (question) => {
        if (question !== 'tokenState') return
        chain.onCall = () => undefined
        await w.advance(101)
        rival = await settle()
      }
      const late = await settle()
      expect(late).toEqual(rival)
      expect(late).toMatchObject([{ status: 'credited' }])
      expect(await available()).toBe(5_000_000n)
    })
  })
}
