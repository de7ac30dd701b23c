import { describe, expect, test } from 'vitest'
import { defaultDepositRules, type ReviewCode, Unavailable } from '@quipu/core'
import type { TokenState } from '@quipu/core/adapter'
import { someOperator } from '../../fixtures/builders.ts'
import { type DepositStores, type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import { accountOf } from '../../fixtures/deposit/addresses.ts'
import { type DepositHarness, depositHarness, serviceAccount } from '../../fixtures/deposit/deposit-harness.ts'
import { operatorNamed } from '../../fixtures/proposal/operators.ts'

export function settleDepositTests(open: OpenHarness<DepositStores>): void {
  describe('settling', () => {
    const w = useWorld(open, 'each')
    const { verifyFrom, minimum, autoLimit } = defaultDepositRules

    /** A deposit in a solid block, scanned and not settled. */
    async function solidDeposit(value = 5_000_000n, from = accountOf('sender')) {
      const harness = await depositHarness(w)
      const { chain, topUp, solid } = harness
      chain.mine(chain.pay(topUp.account, value, { from }))
      chain.solidify()
      await solid()
      return harness
    }
    const suspend = async (w: World<DepositStores>, id: string) => {
      const tenant = await w.tenants.find(id)
      if (tenant === undefined) throw new Error('the tenant was just created')
      const suspended = { ...tenant, status: 'suspended', revision: tenant.revision + 1 } as const
      expect(await w.tenants.update(suspended, 'tenant.suspend', someOperator)).toBe('committed')
    }
    const inReview = (reviewCode: ReviewCode) => [{ status: 'in_review', reviewCode }]

    test.each<[ReviewCode, string, (harness: DepositHarness, w: World<DepositStores>) => unknown]>([
      ['TENANT_NOT_ACTIVE', 'the tenant is suspended', ({ tenantId }, w) => suspend(w, tenantId)],
      [
        'ADDRESS_RETIRED',
        'the address was rotated',
        (harness) => harness.rotate(operatorNamed('ana'), harness.tenantId),
      ],
      ['SENDER_BLOCKED', 'the sender is blocked', ({ chain }) => chain.blocked.add(accountOf('sender'))],
      [
        'ADDRESS_FROZEN',
        'the token has frozen the top-up address',
        ({ chain, topUp }) => chain.blocked.add(topUp.account),
      ],
    ])('%s: %s', async (code, _, arrange) => {
      const harness = await solidDeposit()
      await arrange(harness, w)
      expect(await harness.settle()).toMatchObject(inReview(code))
      const { id } = await harness.deposit()
      expect(await harness.eventTypes(id)).toEqual(['deposit.pending', 'deposit.in_review'])
      expect(await harness.available()).toBe(0n)
    })

    test('SENDER_IS_SERVICE: the sender is the service’s account', async () => {
      const { settle } = await solidDeposit(5_000_000n, serviceAccount)
      expect(await settle()).toMatchObject(inReview('SENDER_IS_SERVICE'))
    })

    test('SENDER_IS_SERVICE: the sender is a top-up address, even a retired one', async () => {
      const { chain, topUp, solid, settle, rotate, ensure, tenantId } = await solidDeposit()
      await settle()
      await rotate(operatorNamed('ana'), tenantId)
      const { account } = await ensure(tenantId)
      chain.mine(chain.pay(account, 5_000_000n, { from: topUp.account }))
      chain.solidify()
      await solid()
      expect(await settle()).toMatchObject(inReview('SENDER_IS_SERVICE'))
    })

    test.each<TokenState>(['paused', 'deprecated', 'charges_fee'])(
      'TOKEN_STATE_CHANGED: the token is %s',
      async (state) => {
        const { chain, settle } = await solidDeposit()
        chain.tokenState = state
        expect(await settle()).toMatchObject(inReview('TOKEN_STATE_CHANGED'))
      },
    )

    test.each<[ReviewCode, bigint]>([
      ['AMOUNT_BELOW_MINIMUM', minimum.minor - 1n],
      ['AMOUNT_BELOW_MINIMUM', 10_000n],
      ['AMOUNT_ABOVE_AUTO_LIMIT', autoLimit.minor + 1n],
    ])('%s: %d micro-USDT', async (code, value) => {
      const { settle } = await solidDeposit(value)
      expect(await settle()).toMatchObject(inReview(code))
    })

    test('the first of several review codes in order of precedence applies', async () => {
      const { chain, settle, rotate, tenantId } = await solidDeposit(10_000n, serviceAccount)
      chain.blocked.add(serviceAccount)
      await rotate(operatorNamed('ana'), tenantId)
      expect(await settle()).toMatchObject(inReview('ADDRESS_RETIRED'))
    })

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

    test('a small amount does not call the second provider', async () => {
      const { verifier, settle } = await solidDeposit(verifyFrom.minor - 1n)
      verifier.onCall = () => {
        throw new Error('the second provider was called')
      }
      expect(await settle()).toMatchObject([{ status: 'credited' }])
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

    test.each([
      ['another amount', { value: 7n }],
      ['another recipient', { to: accountOf('unknown') }],
      ['another sender', { from: accountOf('unknown') }],
      ['another index', { index: 5 }],
      ['another transaction', { txHash: 'cd'.repeat(32) }],
    ])('SOURCES_DISAGREE: the second provider shows %s three times', async (_, over) => {
      const { verifier, settle, deposit, alerts, tenantId } = await solidDeposit(verifyFrom.minor)
      verifier.showBlock = (_view, block) => ({
        ...block,
        transfers: block.transfers.map((transfer) => ({ ...transfer, ...over })),
      })
      for (let round = 1; round < 3; round++) {
        expect(await settle()).toMatchObject([{ status: 'pending' }])
        await w.advance(301)
      }
      expect(alerts).toEqual([])
      expect(await settle()).toMatchObject(inReview('SOURCES_DISAGREE'))
      const { id: subject } = await deposit()
      expect(alerts).toMatchObject([{ code: 'SOURCES_DISAGREE', tenantId, subject }])
    })

    test.each([
      ['another amount', { value: 7n }],
      ['another recipient', { to: accountOf('unknown') }],
      ['another sender', { from: accountOf('unknown') }],
      ['another index', { index: 5 }],
      ['another transaction', { txHash: 'cd'.repeat(32) }],
    ])('SOURCES_DISAGREE: the solid block, read again, shows %s three times', async (_, over) => {
      const { chain, settle, deposit, available, alerts, tenantId } = await solidDeposit()
      chain.showBlock = (_view, block) => ({
        ...block,
        transfers: block.transfers.map((transfer) => ({ ...transfer, ...over })),
      })
      for (let round = 1; round < 3; round++) {
        expect(await settle()).toMatchObject([{ status: 'pending' }])
        await w.advance(301)
      }
      expect(alerts).toEqual([])
      expect(await settle()).toMatchObject(inReview('SOURCES_DISAGREE'))
      const { id: subject } = await deposit()
      expect(alerts).toMatchObject([{ code: 'SOURCES_DISAGREE', tenantId, subject }])
      expect(await available()).toBe(0n)
    })

    test('waits while the node does not have the solid block', async () => {
      const { chain, settle, alerts } = await solidDeposit()
      chain.showBlock = () => undefined
      for (let round = 0; round < 6; round++) {
        expect(await settle()).toMatchObject([{ status: 'pending' }])
        await w.advance(301)
      }
      chain.showBlock = (_, block) => block
      expect(await settle()).toMatchObject([{ status: 'credited' }])
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
