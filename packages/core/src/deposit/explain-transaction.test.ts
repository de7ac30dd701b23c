import { expect, test } from 'vitest'
import type { TopUpAddress } from '../top-up-address/ports.ts'
import type { ChainBlock } from '../chain/chain.ts'
import type { Deposit } from './deposit.ts'
import { explainTransaction } from './explain-transaction.ts'

const [txHash, other] = ['aa'.repeat(32), 'bb'.repeat(32)]
const transfer = (index: number, to: string, value: bigint, of = txHash) => ({
  txHash: of,
  index,
  from: 'sender',
  to,
  value,
  expiresAt: new Date(0),
})
const block: ChainBlock = {
  number: 7,
  id: '07',
  at: new Date(0),
  parentId: '06',
  transactions: [txHash, other],
  transfers: [
    transfer(0, 'ours', 5_000_000n),
    transfer(1, 'ours', 0n),
    transfer(2, 'ours', 1n),
    transfer(3, 'theirs', 9n),
    transfer(0, 'ours', 8n, other),
  ],
  unknownTokenTransfers: [
    { txHash, to: 'ours', contract: 'fake' },
    { txHash, to: 'theirs', contract: 'fake' },
  ],
}
const deposit = { id: 'dep_1', transferIndex: 0, address: 'Tours' } as Deposit
const topUp = { tenantId: 'ten_1', account: 'ours', address: 'Tours', retiredAt: new Date(0) } as TopUpAddress

function explained({ solid = 7, head = 9, scanned = 7, hasChain = true } = {}) {
  const reader = {
    chain: 'tron',
    blockOf: async (hash: string) => (hash === txHash && solid >= 7 ? 7 : undefined),
    block: async (_: string, number: number) => (number === 7 ? block : undefined),
    head: async (view: 'head' | 'solid') => ({ number: view === 'head' ? head : solid, id: '', at: new Date(0) }),
  } as const
  return explainTransaction({
    ...(hasChain && { reader }),
    addresses: { match: async (_, accounts) => (accounts.includes('ours') ? [topUp] : []) },
    deposits: { listAll: async ({ txHash: hash }) => ({ items: hash === txHash ? [deposit] : [], next: null }) },
    scans: { at: async () => ({ number: scanned, id: '', at: new Date(0) }) },
  })(txHash)
}

test('says of each transfer to a top-up address, a retired one too, what became of it', async () => {
  const { state, block: number, transfers, otherTransfers, deposits } = await explained()
  expect({ state, number, otherTransfers }).toEqual({ state: 'solid', number: 7, otherTransfers: 2 })
  expect(transfers.map(({ outcome, depositId, value, contract }) => [outcome, depositId, value, contract])).toEqual([
    ['deposit', 'dep_1', 5_000_000n, null],
    ['zero_value', null, 0n, null],
    ['not_recorded', null, 1n, null],
    ['unknown_token', null, null, 'fake'],
  ])
  const { retiredAt } = topUp
  for (const each of transfers) expect(each).toMatchObject({ tenantId: 'ten_1', address: 'Tours', retiredAt })
  expect(deposits).toEqual([deposit])
})

test('a block that is not scanned yet explains why a transfer has no deposit', async () => {
  const { transfers } = await explained({ scanned: 6 })
  expect(transfers.map(({ outcome }) => outcome)).toEqual(['deposit', 'zero_value', 'not_scanned', 'unknown_token'])
})

test('a transaction in a block above the solid ones is explained, too', async () => {
  const { state, block: number, transfers } = await explained({ solid: 6 })
  expect([state, number]).toEqual(['not_yet_solid', 7])
  expect(transfers.map(({ outcome }) => outcome)).toEqual(['deposit', 'zero_value', 'not_scanned', 'unknown_token'])
})

test('a transaction that no block has is unknown, and its deposits are shown', async () => {
  expect(await explained({ solid: 6, head: 6 })).toMatchObject({ state: 'unknown', block: null, deposits: [deposit] })
  expect(await explained({ hasChain: false })).toMatchObject({ state: 'no_chain', transfers: [], deposits: [deposit] })
})
