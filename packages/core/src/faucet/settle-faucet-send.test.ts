import { expect, test } from 'vitest'
import type { Broadcaster, TransferOutcome } from '../chain/chain.ts'
import { usdt } from '../money.ts'
import { Unavailable } from '../unavailable.ts'
import type { FaucetSend } from './faucet.ts'
import { settleFaucetSend } from './settle-faucet-send.ts'

const expiresAt = new Date('2026-11-21T12:00:00.000Z')
const send: FaucetSend = {
  id: '019ab2c0-0000-7000-8000-000000000001',
  tenantId: 'ten_1',
  key: 'attempt-1',
  fingerprint: 'v1:body',
  chain: 'tron',
  account: 'ab'.repeat(20),
  address: 'T1',
  amount: usdt(1n),
  transfer: { txHash: 'cd'.repeat(32), bytes: new Uint8Array(1), expiresAt },
  status: 'submitted',
  remainingToday: usdt(0n),
  createdAt: new Date(expiresAt.getTime() - 90_000),
}
const claimed = { claim: { tenantId: send.tenantId, sendId: send.id, fencingToken: 2 }, send, claimCount: 1 }

/** Settles a send, one minute before its expiry by default. */
function worker(outcome: Broadcaster['outcome'], now: Date = new Date(expiresAt.getTime() - 60_000)) {
  const did: string[] = []
  const settle = settleFaucetSend({
    faucet: {
      find: async () => send,
      yieldClaim: async (_, seconds) => {
        did.push(`yield ${seconds}`)
        throw new Unavailable('store', 'down') // The lease then expires.
      },
      settle: async (_, status) => {
        did.push(status)
        return 'committed'
      },
    },
    broadcaster: {
      outcome,
      broadcast: async () => {
        did.push('broadcast')
        return 'accepted'
      },
    },
    now: () => now,
  })
  return { did, settle: () => settle(claimed) }
}

const absentThrough = (ms: number) => async (): Promise<TransferOutcome> => ({
  type: 'absent',
  through: { number: 1, id: 'ef', at: new Date(expiresAt.getTime() + ms) },
})

test('a transfer has failed when the newest solid block reaches its expiry, not a millisecond earlier', async () => {
  const early = worker(absentThrough(-1))
  expect(await early.settle()).toMatchObject({ status: 'submitted' })
  expect(early.did).toEqual(['broadcast', 'yield 2'])
  const late = worker(absentThrough(0))
  expect(await late.settle()).toMatchObject({ status: 'failed' })
  expect(late.did).toEqual(['failed'])
})

test('a transfer is broadcast again until its expiry, not from then on', async () => {
  const last = worker(absentThrough(-1), new Date(expiresAt.getTime() - 1))
  await last.settle()
  expect(last.did).toEqual(['broadcast', 'yield 2'])
  const expired = worker(absentThrough(-1), expiresAt)
  await expired.settle()
  expect(expired.did).toEqual(['yield 2'])
})

test('an error that is not an outage is thrown', async () => {
  const { did, settle } = worker(() => Promise.reject(new TypeError('a bug')))
  await expect(settle()).rejects.toThrow('a bug')
  expect(did).toEqual([])
})
