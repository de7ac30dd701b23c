import { expect, test } from 'vitest'
import { sha256 } from '../digest.ts'
import { encodeForTest } from '../event/encode-event.fixture.ts'
import { countingIds } from '../ids.fixture.ts'
import { Unavailable } from '../unavailable.ts'
import type { AddressSource, ChainBlock } from './chain.ts'
import { someDeposit as deposit } from './deposit.fixture.ts'
import type { CreditedDeposit } from './deposit.ts'
import { defaultDepositRules } from './decide-deposit.ts'
import type { TopUpAddress } from './ports.ts'
import { addressMac } from './address-mac.ts'
import { depositDelaySeconds, settleDeposit } from './settle-deposit.ts'

const at = new Date('2026-03-01T12:00:00.000Z')
const credited: CreditedDeposit = { ...deposit, status: 'credited', creditedAt: at }

const addressMacKeys = [{ id: '1', key: new Uint8Array(32).fill(7) }] as const
const source: AddressSource = {
  derive: (index) => ({ account: `account ${index}`, address: `T${index}` }),
}
const place = { tenantId: deposit.tenantId, chain: 'tron', index: 0, ...source.derive(0) } as const
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
  unknownTokenRecipients: [],
}

type Script = {
  readonly committed?: 'committed' | 'stale'
  readonly found?: CreditedDeposit
  readonly failure?: Error
}

/** Settles the deposit in its third claim; the chain throws `failure`. */
async function settle({ committed = 'committed', found, failure }: Script) {
  const yielded: number[] = []
  const act = settleDeposit(
    {
      deposits: {
        commit: async () => committed,
        get: async () => found,
        yieldClaim: async (_, seconds) => {
          yielded.push(seconds)
          return true
        },
      },
      addresses: { match: async () => [] },
      reader: {
        isBlocked: async () => {
          if (failure) throw failure
          return false
        },
        tokenState: async () => 'normal',
        block: async () => block,
      },
      source,
      addressMacKeys,
      format: { format: () => 'Ttheirs' },
      encodeEvent: encodeForTest,
      ids: countingIds(),
      now: () => at,
      raiseAlert: () => undefined,
    },
    { rules: defaultDepositRules, serviceAccounts: [] },
  )
  const ended = await act({
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
  expect(await settle({ failure })).toEqual({ ended: deposit, yielded: [20] })
  await expect(settle({ failure: new TypeError('a bug') })).rejects.toThrow('a bug')
})
