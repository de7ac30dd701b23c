import { expect, test } from 'vitest'
import type { BlockRef, TransferOrder } from '../chain/chain.ts'
import { countingIds } from '../ids.fixture.ts'
import { usdt } from '../money.ts'
import { defaultFaucetSettings, type FaucetRequest, requestFaucet } from './request-faucet.ts'

const now = new Date('2026-11-21T12:00:00.000Z')
const block: BlockRef = { number: 7, id: 'b7', at: now }
const account = 'ab'.repeat(20)
const request: FaucetRequest = {
  key: 'attempt-1',
  fingerprint: 'v1:body',
  account,
  address: 'T1',
  amount: usdt(25000000n),
}
const transfer = { txHash: 'cd'.repeat(32), bytes: new Uint8Array(1), expiresAt: now }
/** Submits a request, of which each transfer has the id of another one; records what is signed and committed. */
function faucet() {
  const orders: TransferOrder[] = []
  const commits: unknown[] = []
  const submit = requestFaucet(
    {
      faucet: {
        commit: async (draft) => {
          commits.push(draft)
          return { type: 'collision' }
        },
        find: async () => undefined,
        usage: async () => ({ now, usage: { tenant: [], address: [], shared: [] } }),
      },
      addresses: { match: async () => [] },
      reader: { chain: 'tron', head: async () => block },
      signer: {
        account: 'the faucet',
        sign: async (order) => {
          orders.push(order)
          return transfer
        },
      },
      broadcaster: { canReceive: () => true, prepare: async () => 1n, broadcast: () => expect.fail('nothing is sent') },
      timer: () => expect.fail('nothing is sent'),
      ids: countingIds(),
      random: (size) => new Uint8Array(size),
      now: () => now,
    },
    defaultFaucetSettings,
  )
  return { submit, orders, commits }
}

test('a caller whose permission ends while the transfer is prepared gets nothing', async () => {
  const { submit, orders, commits } = faucet()
  expect(await submit('ten_1', request, async () => false)).toEqual({ type: 'refused', code: 'AUTHENTICATION_FAILED' })
  expect([orders, commits]).toEqual([[], []])
})

test('signs five transfers at most, when each has the id of another one', async () => {
  const { submit, orders } = faucet()
  await expect(submit('ten_1', request)).rejects.toMatchObject({
    name: 'Unavailable',
    dependency: 'signer',
    message: 'signer unavailable: 5 transfers in a row had the id of another one',
  })
  expect(orders).toHaveLength(5)
})
