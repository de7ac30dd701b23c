import { expect, test } from 'vitest'
import { usdt } from '../money.ts'
import type { ChainBlock } from '../chain/chain.ts'
import type { Deposit } from './deposit.ts'
import { returnProblem } from './return-problem.ts'

const txHash = 'aa'.repeat(32)
const transfer = { txHash, index: 0, from: 'ours', to: 'sender', value: 5_000_000n, expiresAt: new Date(0) }
const deposit = { id: 'dep_1', address: 'Tours', amount: usdt(5_000_000n) } as Deposit

const problemOf = (change: object, { isSolid = true, toAddress = 'Tsender' } = {}): Promise<string | null> =>
  returnProblem({
    reader: {
      blockOf: async () => (isSolid ? 7 : undefined),
      block: async () => ({ transfers: [Object.assign({}, transfer, change)] }) as unknown as ChainBlock,
    },
    format: { parse: (address) => address.slice(1) },
    deposits: { find: async () => deposit },
  })('dep_1', { toAddress, txHash })

test('a solid transfer of the whole amount to the named address sends a deposit back', async () => {
  expect(await problemOf({})).toBeNull()
})

test.each([
  ['a smaller amount', { value: 4_999_999n }],
  ['a larger amount', { value: 5_000_001n }],
  ['another sender', { from: 'other' }],
  ['another receiver', { to: 'other' }],
  ['another transaction', { txHash: 'bb'.repeat(32) }],
])('%s does not', async (_, change) => {
  expect(await problemOf(change)).toBe('moves no 5.000000 USDT from Tours to Tsender')
})

test('a transaction that is not final does not', async () => {
  expect(await problemOf({}, { isSolid: false })).toMatch(/^is in no solid block/)
})
