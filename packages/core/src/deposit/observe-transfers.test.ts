import { expect, test } from 'vitest'
import type { Alert } from '../alert.ts'
import { encodeForTest } from '../event/encode-event.fixture.ts'
import { countingIds } from '../ids.fixture.ts'
import { usdt } from '../money.ts'
import { addressMac } from '../top-up-address/address-mac.ts'
import { addressStoreOf } from '../top-up-address/address-store.fixture.ts'
import type { AddressSource, ChainBlock, TokenTransfer } from '../chain/chain.ts'
import { observeTransfers } from './observe-transfers.ts'
import type { TopUpAddress } from '../top-up-address/ports.ts'
import type { ScanPorts } from './scan.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const addressMacKeys = [{ id: '1', key: new Uint8Array(32).fill(7) }] as const
const addressSource: AddressSource = { derive: (index) => ({ account: `account ${index}`, address: `T${index}` }) }
const topUpOf = (index: number): TopUpAddress => {
  const place = { tenantId: `ten_${index}`, chain: 'tron', index, ...addressSource.derive(index) } as const
  return { ...place, mac: addressMac(addressMacKeys, place), createdAt: now, retiredAt: null }
}

const transfer = (to: string, value: bigint, index = 0): TokenTransfer => ({
  txHash: 'ab'.repeat(32),
  index,
  from: 'a sender',
  to,
  value,
  expiresAt: new Date(now.getTime() + 6e4),
})
const block: ChainBlock = {
  number: 7,
  id: 'b7',
  parentId: 'b6',
  at: new Date(now.getTime() - 3e3),
  transactions: [],
  transfers: [],
  unknownTokenTransfers: [],
}

/** Observes these blocks with these rows of top-up addresses. */
async function observe(blocks: readonly ChainBlock[], rows = [topUpOf(1), topUpOf(2)], stored = rows) {
  const alerts: Alert[] = []
  const lookedUp: (readonly string[])[] = []
  const unused = () => expect.fail('it is not called')
  const ports: ScanPorts = {
    scans: {
      claim: unused,
      renew: unused,
      yieldClaim: unused,
      at: unused,
      refsAbove: unused,
      unconfirmed: unused,
      advance: unused,
      rewind: unused,
    },
    addresses: {
      match: async (_, accounts) => {
        lookedUp.push(accounts)
        return rows.filter(({ account }) => accounts.includes(account))
      },
      ...addressStoreOf(stored),
    },
    reader: { chain: 'tron', head: unused, block: unused, ref: unused, blockOf: unused },
    addressSource,
    addressMacKeys,
    encodeEvent: encodeForTest,
    ids: countingIds(),
    format: { format: (account) => `T of ${account}` },
    now: () => now,
    raiseAlert: (alert) => void alerts.push(alert),
  }
  return { ...(await observeTransfers(ports, blocks)), alerts, lookedUp }
}

const counts = { transfers: 0, zeroValue: 0, unknownTokenTransfers: 0 }
const ofAnotherToken = (to: string) => ({ txHash: 'cd'.repeat(32), contract: 'a token', to })

test('blocks without a recipient look no address up', async () => {
  expect(await observe([block, block])).toEqual({
    ...counts,
    unmatched: [],
    observedTransfers: [],
    alerts: [],
    lookedUp: [],
  })
})

test('each account of a run of blocks is looked up once, in one reading', async () => {
  const { lookedUp, ...seen } = await observe([
    { ...block, transfers: [transfer('account 1', 5n), transfer('someone', 6n, 1)] },
    {
      ...block,
      number: 8,
      transfers: [transfer('account 1', 7n)],
      unknownTokenTransfers: ['account 2', 'someone', 'account 2', 'account 1'].map(ofAnotherToken),
    },
  ])
  expect(lookedUp).toEqual([['account 1', 'someone', 'account 2']])
  expect(seen).toMatchObject({ transfers: 2, zeroValue: 0, unknownTokenTransfers: 3 })
})

test('a transfer opens a deposit of its tenant, in its block', async () => {
  const { observedTransfers } = await observe([{ ...block, transfers: [transfer('account 2', 5_000_000n, 3)] }])
  expect(observedTransfers).toEqual([
    {
      sender: 'a sender',
      block: 7,
      expiresAt: new Date(now.getTime() + 6e4),
      step: {
        deposit: {
          id: expect.stringMatching(/^dep_.{26}$/),
          tenantId: 'ten_2',
          chain: 'tron',
          txHash: 'ab'.repeat(32),
          transferIndex: 3,
          address: 'T2',
          fromAddress: 'T of a sender',
          amount: usdt(5000000n),
          createdAt: now,
          status: 'pending',
        },
        transfer: null,
        event: expect.objectContaining({ type: 'deposit.pending', occurredAt: block.at }),
      },
    },
  ])
})

test('an event does not occur after the process’s clock, when the chain’s is ahead', async () => {
  const ahead = { ...block, at: new Date(now.getTime() + 1) }
  const { observedTransfers } = await observe([{ ...ahead, transfers: [transfer('account 1', 5n)] }])
  expect(observedTransfers[0]?.step.event.occurredAt).toEqual(now)
})

test('what opens no deposit is counted, and has its transaction, contract and address', async () => {
  const seen = await observe([
    {
      ...block,
      transfers: [transfer('account 1', 0n), transfer('someone', 0n, 1)],
      unknownTokenTransfers: [ofAnotherToken('account 2'), ofAnotherToken('someone')],
    },
  ])
  expect(seen).toMatchObject({ ...counts, zeroValue: 1, unknownTokenTransfers: 1 })
  expect(seen.unmatched).toEqual([
    { kind: 'unknown_token', tenantId: 'ten_2', address: 'T2', txHash: 'cd'.repeat(32), contract: 'a token' },
    { kind: 'zero_value', tenantId: 'ten_1', address: 'T1', txHash: 'ab'.repeat(32), contract: null },
  ])
  expect([seen.observedTransfers, seen.alerts]).toEqual([[], []])
  const many = Array.from({ length: 51 }, () => ofAnotherToken('account 1'))
  const { unmatched, unknownTokenTransfers } = await observe([{ ...block, unknownTokenTransfers: many }])
  expect([unmatched.length, unknownTokenTransfers]).toEqual([50, 51])
})

test('an address that was changed raises one alert, and its transfers are observed', async () => {
  const changed = { ...topUpOf(1), tenantId: 'ten_9' }
  const transfers = [transfer('account 1', 5n), transfer('account 1', 6n, 1)]
  const seen = await observe(
    [
      { ...block, transfers },
      { ...block, transfers: [transfer('account 2', 7n)] },
    ],
    [changed, topUpOf(2)],
  )
  expect(seen).toMatchObject({ transfers: 3, zeroValue: 0 })
  expect(seen.observedTransfers.map(({ step }) => step.deposit.tenantId)).toEqual(['ten_9', 'ten_9', 'ten_2'])
  expect(seen.alerts).toEqual([
    { code: 'ADDRESS_MAC_MISMATCH', tenantId: 'ten_9', subject: 'T1', detail: 'its MAC does not match' },
  ])
})

test('nothing is observed by a process that lacks a key in use', async () => {
  const others = [{ id: '2', key: new Uint8Array(32).fill(9) }] as const
  const byOther = (index: number) => ({ ...topUpOf(index), mac: addressMac(others, topUpOf(index)) })
  const blocks = [{ ...block, transfers: [transfer('account 1', 5n), transfer('account 2', 5n)] }]
  const rows = [topUpOf(1), byOther(2)]
  await expect(observe(blocks, rows, [...rows, byOther(3)])).rejects.toThrow(
    'none of 2 top-up addresses of key 2 passes its check',
  )
  // One row that names another key is that row's fault.
  const { alerts, observedTransfers } = await observe(blocks, rows)
  expect(alerts).toMatchObject([{ subject: 'T2' }])
  expect(observedTransfers).toHaveLength(2)
})
