import { expect, test } from 'vitest'
import type { Broadcaster, TransferOutcome } from '../deposit/chain.ts'
import { usdt } from '../money.ts'
import { Unavailable } from '../unavailable.ts'
import type { FaucetSend } from './faucet.ts'
import { settleFaucetSend } from './settle-faucet-send.ts'
import type { FaucetStore } from './ports.ts'

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
const claimed = {
  claim: { tenantId: send.tenantId, sendId: send.id, fencingToken: 2 },
  send,
  claimCount: 1,
}

/** A worker that looks a minute before the expiry, and what it does. */
function worker(outcome: Broadcaster['outcome'], release?: FaucetStore['yieldClaim']) {
  const did: string[] = []
  const finish = settleFaucetSend({
    faucet: {
      find: async () => send,
      yieldClaim:
        release ??
        (async (_, seconds) => {
          did.push(`release ${seconds}`)
          return true
        }),
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
    now: () => new Date(expiresAt.getTime() - 60_000),
  })
  return { did, finish: () => finish(claimed) }
}

const absentThrough = (ms: number) => async (): Promise<TransferOutcome> => ({
  type: 'absent',
  through: { number: 1, id: 'ef', at: new Date(expiresAt.getTime() + ms) },
})

test('a transfer is dead once the newest solid block is as late as its expiry, not a millisecond earlier', async () => {
  const early = worker(absentThrough(-1))
  expect(await early.finish()).toMatchObject({ status: 'submitted' })
  expect(early.did).toEqual(['broadcast', 'release 2'])
  const late = worker(absentThrough(0))
  expect(await late.finish()).toMatchObject({ status: 'failed' })
  expect(late.did).toEqual(['failed'])
})

test('a send that cannot be given back is due again when its lease ends', async () => {
  const down = worker(absentThrough(-1), async () => {
    throw new Unavailable('store', 'down')
  })
  expect(await down.finish()).toEqual(send)
  expect(down.did).toEqual(['broadcast'])
})

test('a bug is not taken for a node that does not answer', async () => {
  const { did, finish } = worker(async () => {
    throw new TypeError('a bug')
  })
  await expect(finish()).rejects.toThrow('a bug')
  expect(did).toEqual([])
})
