import { describe, expect, test } from 'vitest'
import { encodeForTest } from '../event/encode-event.fixture.ts'
import { countingIds } from '../ids.fixture.ts'
import type { ChainBlock, TokenTransfer } from '../chain/chain.ts'
import { Unavailable } from '../unavailable.ts'
import { addressMac } from '../top-up-address/address-mac.ts'
import { addressStoreOf } from '../top-up-address/address-store.fixture.ts'
import type { ScanAdvance, UnconfirmedTransfer } from './ports.ts'
import type { TopUpAddress } from '../top-up-address/ports.ts'
import { scanSolid } from './scan-solid.ts'
import { defaultScanSettings } from './scan.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const later = (ms: number): Date => new Date(now.getTime() + ms)
const blockOf = (number: number, over: Partial<ChainBlock> = {}): ChainBlock => ({
  number,
  id: `b${number}`,
  parentId: `b${number - 1}`,
  at: now,
  transactions: [],
  transfers: [],
  unknownTokenTransfers: [],
  ...over,
})
const transfer = (over: Partial<TokenTransfer> = {}): TokenTransfer => ({
  txHash: 'h1',
  index: 0,
  from: 'a sender',
  to: 'account 1',
  value: 5n,
  expiresAt: later(6e4),
  ...over,
})
const addressMacKeys = [{ id: '1', key: new Uint8Array(32) }] as const
const addressSource = { derive: () => ({ account: 'account 1', address: 'T of account 1' }) }
const place = { tenantId: 'ten_1', chain: 'tron', index: 0, ...addressSource.derive() } as const
const topUps: readonly TopUpAddress[] = [
  { ...place, mac: addressMac(addressMacKeys, place), createdAt: now, retiredAt: null },
]
const unconfirmed: UnconfirmedTransfer = {
  chain: 'tron',
  txHash: 'h1',
  transferIndex: 0,
  address: 'T of account 1',
  expiresAt: later(6e4),
}

/** Scans solid blocks from 7 on while this transfer is unconfirmed, and returns what it writes. */
async function scan(
  blocks: readonly ChainBlock[],
  pending: readonly UnconfirmedTransfer[],
  { earlier = [], nodeFails = false }: { earlier?: readonly ChainBlock[]; nodeFails?: boolean } = {},
) {
  const written: ScanAdvance[] = []
  const through: number[] = []
  const unused = () => expect.fail('it is not called')
  const last = blocks.at(-1) ?? blockOf(6)
  const poll = await scanSolid(
    {
      scans: {
        claim: async (chain, view) => ({ claim: { chain, view, fencingToken: 1 }, at: blockOf(6) }),
        unconfirmed: async (_, number) => {
          through.push(number)
          return pending
        },
        advance: async (_, write) => {
          written.push(write)
          return { type: 'committed', contradicted: [] }
        },
        renew: async () => true,
        yieldClaim: async () => {},
        at: unused,
        refsAbove: unused,
        rewind: unused,
      },
      addresses: { match: async () => topUps, ...addressStoreOf(topUps) },
      reader: {
        chain: 'tron',
        head: async () => last,
        ref: unused,
        block: async (_, number) => [...earlier, ...blocks].find((block) => block.number === number),
        blockOf: async (txHash) => {
          if (nodeFails) throw new Unavailable('chain', 'no answer')
          return earlier.find(({ transactions }) => transactions.includes(txHash))?.number
        },
      },
      addressSource,
      format: { format: (account) => `T of ${account}` },
      addressMacKeys,
      encodeEvent: encodeForTest,
      ids: countingIds(),
      now: () => now,
      raiseAlert: unused,
    },
    defaultScanSettings,
  )()
  const observed = written.flatMap(({ observedTransfers }) =>
    observedTransfers.map(({ step, block }) => `${step.deposit.txHash} in ${block}`),
  )
  return { poll, through, gone: written.flatMap(({ gone }) => gone), observed }
}
const gone = [{ chain: 'tron', txHash: 'h1', transferIndex: 0 }]

test.each<[string, readonly Partial<ChainBlock>[], object[]]>([
  ['in no block, before its expiry', [{ at: later(59_999) }], []],
  ['in no block up to its expiry', [{ at: later(60_000) }], gone],
  ['in no block up to its expiry, in a later one', [{}, { at: later(60_000) }], gone],
  ['confirmed', [{ transactions: ['h1'], transfers: [transfer()] }], []],
  ['confirmed in an earlier block of the run', [{ transfers: [transfer()] }, { at: later(70_000) }], []],
  ['absent, with its transaction', [{ transactions: ['h2', 'h1'] }], gone],
  ['absent, with its transaction in an earlier block', [{ transactions: ['h1'] }, {}], gone],
  ['absent, with another transaction', [{ transactions: ['h2'] }], []],
  ['of nothing', [{ transactions: ['h1'], transfers: [transfer({ value: 0n })] }], gone],
  ['at another index', [{ transactions: ['h1'], transfers: [transfer({ index: 1 })] }], gone],
  ['to another account', [{ transactions: ['h1'], transfers: [transfer({ to: 'x' })] }], gone],
  ['of another transaction', [{ transactions: ['h1'], transfers: [transfer({ txHash: 'h2' })] }], gone],
])('a pending transfer that is %s', async (_, blocks, expected) => {
  const run = blocks.map((over, n) => blockOf(7 + n, over))
  const { gone: found, through } = await scan(run, [unconfirmed])
  expect(found).toEqual(expected)
  expect(through).toEqual([6 + run.length])
})

test('each pending transfer is decided alone', async () => {
  const others = [
    { ...unconfirmed, transferIndex: 1 },
    { ...unconfirmed, txHash: 'h2' },
  ]
  const run = [blockOf(7, { transactions: ['h1'], transfers: [transfer()] })]
  expect((await scan(run, [unconfirmed, ...others])).gone).toEqual([{ chain: 'tron', txHash: 'h1', transferIndex: 1 }])
  expect((await scan(run, [])).gone).toEqual([])
})

describe('a transfer in a solid block that the scan had passed', () => {
  const expired = [blockOf(7, { at: later(60_000) })]
  const passed = blockOf(3, { transactions: ['h1'], transfers: [transfer()] })

  test('is found again, and not called gone', async () => {
    const found = await scan(expired, [unconfirmed], { earlier: [passed] })
    expect([found.gone, found.observed]).toEqual([[], ['h1 in 3']])
  })

  test('is gone when that block has its transaction without it', async () => {
    const earlier = [blockOf(3, { transactions: ['h1'] })]
    expect(await scan(expired, [unconfirmed], { earlier })).toMatchObject({ gone, observed: [] })
  })

  test('waits while the node does not say where its transaction is', async () => {
    const found = await scan(expired, [unconfirmed], { nodeFails: true })
    expect([found.gone, found.poll.state]).toEqual([[], 'idle'])
  })
})
