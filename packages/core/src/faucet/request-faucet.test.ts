import { expect, test } from 'vitest'
import type { BlockRef, TransferOrder } from '../chain/chain.ts'
import { countingIds } from '../ids.fixture.ts'
import { usdt } from '../money.ts'
import type { FaucetSend } from './faucet.ts'
import type { FaucetCommitResult, FaucetStore } from './ports.ts'
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
const send: FaucetSend = {
  ...request,
  id: '019ab2c0-0000-7000-8000-000000000001',
  tenantId: 'ten_1',
  chain: 'tron',
  transfer,
  status: 'submitted',
  remainingToday: usdt(900000000n),
  createdAt: now,
}

type Script = {
  /** The answers of `find`, call by call; nothing by default. */
  readonly found?: (FaucetSend | undefined)[]
  readonly committed?: FaucetCommitResult
  readonly feeLimit?: bigint | 'insufficient' | 'refused'
  /** The instant of the tenant's last request. */
  readonly usedAt?: Date
  readonly broadcast?: Promise<'accepted'>
}

/** Submits a request; records what is signed, committed and broadcast, and how long the broadcast may take. */
function faucet({ found = [], committed, feeLimit = 1n, usedAt, broadcast }: Script = {}) {
  const did: string[] = []
  const orders: TransferOrder[] = []
  const { promise: expired, resolve: expire } = Promise.withResolvers<void>()
  const commit: FaucetStore['commit'] = async (_draft, _check, _limits, leaseSeconds) => {
    did.push(`commit for ${leaseSeconds} s`)
    return committed ?? { type: 'committed', send }
  }
  const submit = requestFaucet(
    {
      faucet: {
        commit,
        find: async () => found.shift(),
        usage: async () => {
          const tenant = usedAt ? [{ at: usedAt, amount: usdt(1n) }] : []
          return { now, usage: { tenant, address: [], shared: [] } }
        },
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
      broadcaster: {
        canReceive: () => true,
        prepare: async () => feeLimit,
        broadcast: async () => {
          did.push('broadcast')
          return broadcast ?? 'accepted'
        },
      },
      timer: (ms) => {
        did.push(`timer of ${ms} ms`)
        return { done: expired, cancel: () => void did.push('cancel') }
      },
      ids: countingIds(),
      random: (size) => new Uint8Array(size),
      now: () => now,
    },
    defaultFaucetSettings,
  )
  return { submit, did, orders, expire }
}

const accepted = { type: 'send', send, replayed: false }
const replayed = { type: 'send', send, replayed: true }

test('answers after the node accepted the transfer, which a worker may claim 15 s after the commit', async () => {
  const { submit, did } = faucet()
  expect(await submit('ten_1', request)).toEqual(accepted)
  expect(did).toEqual(['commit for 15 s', 'broadcast', 'timer of 5000 ms', 'cancel'])
})

test('answers after 5 s when the node does not', async () => {
  const { submit, did, expire } = faucet({ broadcast: new Promise(() => undefined) })
  const answer = submit('ten_1', request)
  expire()
  expect(await answer).toEqual(accepted)
  expect(did.at(-1)).toBe('cancel')
})

test('a broadcast that fails changes nothing: a worker repeats it', async () => {
  const { submit } = faucet({ broadcast: Promise.reject(new Error('no answer')) })
  expect(await submit('ten_1', request)).toEqual(accepted)
})

test('a caller whose permission ends while the transfer is prepared gets nothing', async () => {
  const { submit, did, orders } = faucet()
  expect(await submit('ten_1', request, async () => false)).toEqual({ type: 'refused', code: 'AUTHENTICATION_FAILED' })
  expect([did, orders]).toEqual([[], []])
})

test('an equal request that was accepted meanwhile is replayed: it has used up the limit, or the faucet', async () => {
  for (const used of [{ usedAt: now }, { feeLimit: 'insufficient' } as const]) {
    const { submit, did } = faucet({ ...used, found: [undefined, send] })
    expect(await submit('ten_1', request)).toEqual(replayed)
    expect(did).toEqual([])
  }
})

test('without one the refusal stands', async () => {
  expect(await faucet({ usedAt: now }).submit('ten_1', request)).toEqual({
    type: 'refused',
    code: 'FAUCET_TOO_SOON',
    retryAfterSeconds: 60,
  })
  expect(await faucet({ feeLimit: 'insufficient' }).submit('ten_1', request)).toEqual({
    type: 'refused',
    code: 'FAUCET_EMPTY',
  })
})

test('an equal request that commits first is replayed, and nothing is broadcast', async () => {
  const { submit, did } = faucet({ committed: { type: 'stored', send } })
  expect(await submit('ten_1', request)).toEqual(replayed)
  expect(did).toEqual(['commit for 15 s'])
})

test('signs five transfers at most, when each has the id of another one', async () => {
  const { submit, did, orders } = faucet({ committed: { type: 'collision' } })
  await expect(submit('ten_1', request)).rejects.toMatchObject({
    name: 'Unavailable',
    dependency: 'signer',
    message: 'signer unavailable: 5 transfers in a row had the id of another one',
  })
  expect(orders).toHaveLength(5)
  expect(did).not.toContain('broadcast')
})
