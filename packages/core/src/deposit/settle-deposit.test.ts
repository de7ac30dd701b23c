import { describe, expect, test } from 'vitest'
import { sha256 } from '../digest.ts'
import { encodeForTest } from '../event/encode-event.fixture.ts'
import { countingIds } from '../ids.fixture.ts'
import { Unavailable } from '../unavailable.ts'
import { usdt } from '../money.ts'
import type { Alert } from '../alert.ts'
import { addressStoreOf } from '../top-up-address/address-store.fixture.ts'
import type { AddressSource, ChainBlock, TokenState } from '../chain/chain.ts'
import { someDeposit as deposit } from './deposit.fixture.ts'
import type { CreditedDeposit, ReviewCode } from './deposit.ts'
import { defaultDepositRules } from './decide-deposit.ts'
import type { ClaimedDeposit, DepositCommit, DepositCommitResult } from './ports.ts'
import type { TopUpAddress } from '../top-up-address/ports.ts'
import { addressMac } from '../top-up-address/address-mac.ts'
import { depositDelaySeconds, settleDeposit } from './settle-deposit.ts'

const at = new Date('2026-03-01T12:00:00.000Z')
const credited: CreditedDeposit = { ...deposit, status: 'credited', creditedAt: at }

const addressMacKeys = [{ id: '1', key: new Uint8Array(32).fill(7) }] as const
const addressSource: AddressSource = { derive: (index) => ({ account: `account ${index}`, address: `T${index}` }) }
const place = { tenantId: deposit.tenantId, chain: 'tron', index: 0, ...addressSource.derive(0) } as const
const mac = addressMac(addressMacKeys, place)
const topUp: TopUpAddress = { ...place, mac, createdAt: at, retiredAt: null }
const sender = 'account of a sender'
const block: ChainBlock = {
  number: 7,
  id: sha256('7'),
  parentId: sha256('6'),
  at,
  transactions: [deposit.txHash],
  transfers: [
    {
      txHash: deposit.txHash,
      index: deposit.transferIndex,
      from: sender,
      to: topUp.account,
      value: deposit.amount.minor,
      expiresAt: at,
    },
  ],
  unknownTokenTransfers: [],
}

type Script = { readonly committed?: 'committed' | 'stale'; readonly found?: CreditedDeposit; readonly failure?: Error }

/** Settles the deposit in its third claim; the chain throws `failure`. */
async function settle({ committed = 'committed', found, failure }: Script) {
  const yielded: (number | string)[] = []
  let isReading = false
  const act = settleDeposit(
    {
      deposits: {
        commit: async () => committed,
        get: async () => found,
        yieldClaim: async (_, seconds, problem) => {
          yielded.push(seconds, problem, ...(isReading ? ['while a read goes on'] : []))
          return true
        },
      },
      addresses: {
        match: async () => {
          isReading = true
          await new Promise<void>((resolve) => void setImmediate(resolve))
          isReading = false
          return []
        },
        ...addressStoreOf([topUp]),
      },
      reader: {
        isBlocked: async () => {
          if (failure) throw failure
          return false
        },
        tokenState: async () => 'normal',
        block: async () => block,
      },
      addressSource,
      addressMacKeys,
      format: { format: () => 'Ttheirs' },
      encodeEvent: encodeForTest,
      ids: countingIds(),
      now: () => at,
      raiseAlert: () => undefined,
    },
    { rules: defaultDepositRules, serviceAccounts: [] },
  )
  const { deposit: ended } = await act({
    claim: { tenantId: deposit.tenantId, depositId: deposit.id, fencingToken: 3 },
    deposit,
    sender,
    solid: { type: 'confirmed', block: 7 },
    topUp,
    tenantStatus: 'active',
    claimCount: 3,
  })
  return { ended, yielded }
}

test('an unsettled deposit is due after 5 s, then twice as long each time, up to 300 s', () => {
  const delays = [1, 2, 3, 4, 5, 6, 7, 8, 1_000].map(depositDelaySeconds)
  expect(delays).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300])
})

test('answers the committed deposit, or the stored one after a stale commit', async () => {
  expect(await settle({})).toEqual({ ended: credited, yielded: [] })
  const before = { ...credited, creditedAt: new Date(at.getTime() - 1_000) }
  expect(await settle({ committed: 'stale', found: before })).toMatchObject({ ended: before })
  expect(await settle({ committed: 'stale' })).toMatchObject({ ended: deposit })
})

test('stays pending while the chain is unavailable, and throws any other error', async () => {
  const failure = new Unavailable('chain', 'no answer')
  expect(await settle({ failure })).toEqual({ ended: deposit, yielded: [20, 'chain unavailable: no answer'] })
  await expect(settle({ failure: new TypeError('a bug') })).rejects.toThrow('a bug')
})

type Facts = {
  readonly amount?: bigint
  readonly hasVerifier?: boolean
  /** The results of the commits, in this order. */
  readonly results?: readonly DepositCommitResult[]
  readonly change?: Partial<ClaimedDeposit>
  readonly blocked?: readonly string[]
  readonly tokenState?: TokenState
  readonly topUpsOfSender?: readonly TopUpAddress[]
  readonly serviceAccounts?: readonly string[]
  readonly shown?: ChainBlock | undefined
}

/** Settles the deposit with these facts; answers what was read of whom, and what was written. */
async function settleWith({ amount = 25_000_000n, results = ['committed'], ...facts }: Facts) {
  const read: string[] = []
  const alerts: Alert[] = []
  const written: DepositCommit[] = []
  const answers = [...results]
  const [transfer] = block.transfers
  const shown = 'shown' in facts ? facts.shown : block
  const asked = shown && {
    ...shown,
    transfers: shown.transfers.length > 0 && transfer ? [{ ...transfer, value: amount }] : [],
  }
  const readerOf = (name: string) => ({
    block: async (view: string, number: number) => {
      read.push(`${name} ${view} ${number}`)
      return asked
    },
  })
  const act = settleDeposit(
    {
      deposits: {
        commit: async (write) => {
          written.push(write)
          return answers.shift() ?? expect.fail('it was committed')
        },
        get: async () => undefined,
        yieldClaim: async () => true,
      },
      addresses: {
        ...addressStoreOf([topUp]),
        match: async (chain, [account]) => (chain === 'tron' && account === sender ? (facts.topUpsOfSender ?? []) : []),
      },
      reader: {
        ...readerOf('node'),
        isBlocked: async (account) => {
          read.push(`blocked ${account}`)
          return facts.blocked?.includes(account) === true
        },
        tokenState: async () => facts.tokenState ?? 'normal',
      },
      ...(facts.hasVerifier === true && { verifier: readerOf('second') }),
      addressSource,
      addressMacKeys,
      format: { format: () => 'Ttheirs' },
      encodeEvent: encodeForTest,
      ids: countingIds(),
      now: () => at,
      raiseAlert: (alert) => void alerts.push(alert),
    },
    { rules: defaultDepositRules, serviceAccounts: facts.serviceAccounts ?? [] },
  )
  const { deposit: settled, problem } = await act({
    claim: { tenantId: deposit.tenantId, depositId: deposit.id, fencingToken: 3 },
    deposit: { ...deposit, amount: usdt(amount) },
    sender,
    solid: { type: 'confirmed', block: 7 },
    topUp,
    tenantStatus: 'active',
    claimCount: 3,
    ...facts.change,
  })
  const limited = written.map((write) => 'unverifiedLimits' in write && write.unverifiedLimits)
  const blocksRead = read.filter((each) => !each.startsWith('blocked'))
  return { settled, problem, calls: read, read: blocksRead, written, limited, alerts }
}
const { unverifiedLimits, verifyFrom } = defaultDepositRules

test('a commit has its claim, its event and the limits of what one provider has confirmed', async () => {
  const { written } = await settleWith({})
  expect(written).toEqual([
    {
      kind: 'settle',
      claim: { tenantId: deposit.tenantId, depositId: deposit.id, fencingToken: 3 },
      step: {
        deposit: credited,
        transfer: { type: 'deposit', amount: deposit.amount },
        event: expect.objectContaining({ type: 'deposit.credited', occurredAt: at }),
      },
      unverifiedLimits,
    },
  ])
})

test('from the amount of the rules on, the second provider is read, and there is no limit', async () => {
  const large = await settleWith({ amount: verifyFrom.minor, hasVerifier: true })
  expect(large.read).toEqual(['node solid 7', 'second solid 7'])
  expect(large.limited).toEqual([false])
  const smaller = await settleWith({ amount: verifyFrom.minor - 1n, hasVerifier: true })
  expect(smaller.read).toEqual(['node solid 7'])
  expect(smaller.limited).toEqual([unverifiedLimits])
  const alone = await settleWith({ amount: verifyFrom.minor })
  expect([alone.read, alone.limited]).toEqual([['node solid 7'], [unverifiedLimits]])
})

test('above the limits the second provider is read, or an operator decides', async () => {
  const results = ['above_unverified_limit', 'committed'] as const
  const verified = await settleWith({ results, hasVerifier: true })
  expect(verified.settled.status).toBe('credited')
  expect(verified.read).toEqual(['node solid 7', 'node solid 7', 'second solid 7'])
  expect(verified.limited).toEqual([unverifiedLimits, false])
  const alone = await settleWith({ results })
  expect(alone.settled).toMatchObject({ status: 'in_review', reviewCode: 'AMOUNT_ABOVE_AUTO_LIMIT' })
  expect(alone.limited).toEqual([unverifiedLimits, unverifiedLimits])
})

test('answers the instant that the commit recorded', async () => {
  const redatedTo = new Date(at.getTime() + 2)
  const { settled } = await settleWith({ results: [{ redatedTo }] })
  expect(settled).toEqual({ ...credited, creditedAt: redatedTo })
})

test.each<[ReviewCode, Facts]>([
  ['TRANSFER_DROPPED', { change: { solid: { type: 'gone' } } }],
  ['TENANT_NOT_ACTIVE', { change: { tenantStatus: 'suspended' } }],
  ['ADDRESS_RETIRED', { change: { topUp: { ...topUp, retiredAt: at } } }],
  ['SENDER_BLOCKED', { blocked: [sender, topUp.account] }],
  ['ADDRESS_FROZEN', { blocked: [topUp.account], serviceAccounts: [sender] }],
  ['SENDER_IS_SERVICE', { serviceAccounts: ['another', sender] }],
  ['SENDER_IS_SERVICE', { topUpsOfSender: [topUp] }],
  ['TOKEN_STATE_CHANGED', { tokenState: 'charges_fee' }],
  ['TOKEN_STATE_CHANGED', { tokenState: 'paused' }],
  ['TOKEN_STATE_CHANGED', { tokenState: 'deprecated' }],
  ['SOURCES_DISAGREE', { shown: { ...block, transfers: [] } }],
])('%s: %j', async (reviewCode, facts) => {
  const { settled, written } = await settleWith(facts)
  expect(settled).toMatchObject({ status: 'in_review', reviewCode })
  expect(written).toMatchObject([{ step: { event: { type: 'deposit.in_review' } } }])
})

test('a node without the block leaves the deposit pending', async () => {
  const { settled, written } = await settleWith({ shown: undefined })
  expect([settled, written]).toEqual([deposit, []])
})

test('a frozen address raises an alert with what to do', async () => {
  const { alerts } = await settleWith({ blocked: [topUp.account] })
  expect(alerts).toEqual([
    {
      code: 'ADDRESS_FROZEN',
      tenantId: deposit.tenantId,
      subject: topUp.address,
      detail: `deposit ${deposit.id} arrived at it; the token’s issuer has frozen it, so nothing at it can move: rotate the tenant’s top-up address`,
    },
  ])
})

test('dust is closed without a question to the chain, and without an alert', async () => {
  const { settled, calls, alerts, written } = await settleWith({ amount: 9999n, blocked: [sender, topUp.account] })
  expect(settled).toMatchObject({
    status: 'in_review',
    reviewCode: 'AMOUNT_BELOW_MINIMUM',
    closed: { at, actor: null, reason: 'DUST' },
  })
  expect([calls, alerts]).toEqual([[], []])
  expect(written).toMatchObject([{ step: { event: { type: 'deposit.in_review' } } }])
})

describe('an address that fails its integrity check', () => {
  const forged = { ...topUp, index: 1 }
  const review = { ...deposit, status: 'in_review', closed: null } as const
  const unverified = { ...review, reviewCode: 'ADDRESS_NOT_VERIFIED' } as const

  test('sends the deposit to review', async () => {
    const { settled, alerts } = await settleWith({ change: { topUp: forged } })
    expect(settled).toMatchObject({ status: 'in_review', reviewCode: 'ADDRESS_NOT_VERIFIED' })
    expect(alerts).toMatchObject([{ code: 'ADDRESS_MAC_MISMATCH' }])
  })

  test('keeps it there without another event or alert while it fails', async () => {
    const { written, problem, alerts } = await settleWith({ change: { topUp: forged, deposit: unverified } })
    expect([written, alerts]).toEqual([[], []])
    expect(problem).toBe('its top-up address fails its integrity check')
  })

  test('has it decided again once it passes: credited, or in review for another reason', async () => {
    const change = { deposit: unverified }
    expect((await settleWith({ change })).settled).toEqual(credited)
    expect((await settleWith({ change, blocked: [sender] })).settled).toEqual({
      ...review,
      reviewCode: 'SENDER_BLOCKED',
    })
  })
})
