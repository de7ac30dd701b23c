import { expect, test } from 'vitest'
import type { Alert } from '../alert.ts'
import type { Broadcaster, SignedTransfer, TransferOutcome } from '../chain/chain.ts'
import { Unavailable } from '../unavailable.ts'
import type { SweepAttempt } from './ports.ts'
import { plannedLookSeconds, settleSweep } from './settle-sweep.ts'
import { after, start, transferWith } from './sweep.fixture.ts'
import type { SweepQuote, SweepTransfer } from './sweep.ts'

const signed = (over: Partial<SweepTransfer> = {}) => transferWith({ status: 'signed', signature: 'good', ...over })
const cost: SweepQuote = { energy: 64285n, feeLimit: 99n, trxNeeded: 20n, trxMissing: 0n, energyFee: 30n }
const absent = (seconds: number): TransferOutcome => ({
  type: 'absent',
  through: { number: 982, id: 'solid', at: after(seconds) },
})

function harness() {
  const world = {
    now: start,
    outcome: absent(-54),
    cost: cost as SweepQuote | undefined,
    answer: 'accepted' as Awaited<ReturnType<Broadcaster['broadcast']>>,
    isSilent: false,
    error: new Unavailable('chain', 'no answer') as Error,
    settle: 'committed' as 'committed' | 'stale',
    yieldClaim: async () => true,
  }
  const alerts: Alert[] = []
  const broadcasts: SignedTransfer[] = []
  const yielded: { dueInSeconds: number; attempt: Pick<SweepAttempt, 'sentAt' | 'problem'> }[] = []
  const settle = settleSweep({
    sweeps: {
      settle: async () => world.settle,
      yieldClaim: async (_, dueInSeconds, { sentAt, problem }) => {
        yielded.push({ dueInSeconds, attempt: { sentAt, problem } })
        return world.yieldClaim()
      },
    },
    chain: {
      cost: async () => world.cost,
      join: ({ txHash, expiresAt }, _, signature) =>
        signature === 'good' ? { txHash, expiresAt, bytes: new Uint8Array() } : undefined,
    },
    broadcaster: {
      outcome: async () => {
        if (world.isSilent) throw world.error
        return world.outcome
      },
      broadcast: async (transfer) => {
        broadcasts.push(transfer)
        return world.answer
      },
    },
    now: () => world.now,
    raiseAlert: (alert) => void alerts.push(alert),
  })
  return {
    world,
    alerts,
    broadcasts,
    yielded,
    settle: (transfer: SweepTransfer, claimCount = 1) =>
      settle({ claim: { transferId: transfer.id, fencingToken: 1 }, transfer, treasury: 'treasury', claimCount }),
  }
}

test('an unsigned transfer is not sent, and is due again in ten minutes', async () => {
  const h = harness()
  expect(await h.settle(transferWith())).toBe('planned')
  expect(h.yielded).toEqual([{ dueInSeconds: plannedLookSeconds, attempt: { sentAt: null, problem: null } }])
  expect(h.broadcasts).toEqual([])
})

test('a transfer that a node accepts is due again when a block can be solid', async () => {
  const h = harness()
  expect(await h.settle(signed({ problem: 'TRX_MISSING' }))).toBe('signed')
  expect(h.yielded).toEqual([{ dueInSeconds: 60, attempt: { sentAt: start, problem: null } }])
  h.world.now = after(60)
  await h.settle(signed({ sentAt: start }), 2)
  expect(h.yielded[1]).toEqual({ dueInSeconds: 60, attempt: { sentAt: start, problem: null } })
  expect(h.broadcasts.map(({ txHash }) => txHash)).toEqual(['aa', 'aa'])
})

test('a transfer that no node accepted is due again later each time', async () => {
  const h = harness()
  h.world.answer = 'stopped'
  for (const claimCount of [1, 2, 3, 4, 5, 6]) await h.settle(signed(), claimCount)
  expect(h.yielded.map(({ dueInSeconds }) => dueInSeconds)).toEqual([2, 5, 10, 30, 60, 60])
  expect(h.yielded[0]?.attempt).toEqual({ sentAt: null, problem: 'NODE_REFUSES' })
})

test('a transfer that a node has refused stays refused when the node has seen it before', async () => {
  const h = harness()
  h.world.answer = 'duplicate'
  await h.settle(signed({ problem: 'NODE_REFUSES' }))
  await h.settle(signed({ problem: 'TRX_MISSING' }))
  await h.settle(signed({ sentAt: start }))
  h.world.answer = 'accepted'
  await h.settle(signed({ problem: 'NODE_REFUSES' }))
  expect(h.yielded.map(({ attempt }) => attempt)).toEqual([
    { sentAt: null, problem: 'NODE_REFUSES' },
    ...Array.from({ length: 3 }, () => ({ sentAt: start, problem: null })),
  ])
})

test('a transfer that would move nothing is not sent; once sent that is no problem', async () => {
  const h = harness()
  h.world.cost = undefined
  await h.settle(signed())
  await h.settle(signed({ sentAt: start }))
  expect(h.yielded.map(({ attempt }) => attempt)).toEqual([
    { sentAt: null, problem: 'TRANSFER_REVERTS' },
    { sentAt: start, problem: null },
  ])
  expect(h.broadcasts).toEqual([])
})

test('a transfer is sent while its energy costs at most its own fee limit and no TRX is missing', async () => {
  const h = harness()
  await h.settle(signed({ feeLimit: 30n }))
  expect(h.broadcasts).toHaveLength(1)
  await h.settle(signed({ feeLimit: 29n }))
  h.world.cost = { ...cost, trxMissing: 1n }
  await h.settle(signed())
  expect(h.yielded.slice(1).map(({ attempt }) => attempt.problem)).toEqual(['FEE_LIMIT_TOO_LOW', 'TRX_MISSING'])
  expect(h.broadcasts).toHaveLength(1)
})

test('nothing is sent from the expiry on, and the last problem stays', async () => {
  const h = harness()
  h.world.now = after(3_600)
  await h.settle(signed({ problem: 'TRX_MISSING' }))
  expect(h.broadcasts).toEqual([])
  expect(h.yielded[0]?.attempt).toEqual({ sentAt: null, problem: 'TRX_MISSING' })
  h.world.now = new Date(after(3_600).getTime() - 1)
  await h.settle(signed())
  expect(h.broadcasts).toHaveLength(1)
})

test('a stored signature of another key is an error', async () => {
  const h = harness()
  await expect(h.settle(signed({ signature: 'bad' }))).rejects.toThrow(
    'the signature of sweep swp_1 does not match its address',
  )
  expect(h.yielded).toEqual([])
})

test('a failed transfer raises an alert', async () => {
  const h = harness()
  h.world.outcome = { type: 'failed' }
  expect(await h.settle(signed())).toBe('failed')
  expect(h.alerts).toEqual([
    {
      code: 'SWEEP_FAILED',
      tenantId: null,
      subject: 'swp_1',
      detail: 'batch swb_1, address T-1, transaction aa: the transfer is in a solid block and moved nothing',
    },
  ])
})

test.each([
  ['it was never signed', transferWith()],
  ['it was never signed', transferWith({ problem: 'TRX_MISSING' })],
  ['unsent', signed()],
  ['TRX_MISSING', signed({ problem: 'TRX_MISSING' })],
])('an expired transfer raises an alert with its reason: %s', async (why, transfer) => {
  const h = harness()
  h.world.outcome = absent(3_599)
  expect(await h.settle(transfer)).toBe(transfer.status)
  expect(h.alerts).toEqual([])
  h.world.outcome = absent(3_600)
  expect(await h.settle(transfer)).toBe('expired')
  expect(h.alerts).toEqual([
    {
      code: 'SWEEP_EXPIRED',
      tenantId: null,
      subject: 'swp_1',
      detail: `batch swb_1, address T-1, transaction aa: no solid block has it (${why}); plan another sweep`,
    },
  ])
})

test('a node without an answer leaves the transfer as it was', async () => {
  const h = harness()
  h.world.isSilent = true
  expect(await h.settle(signed({ problem: 'TRX_MISSING' }), 2)).toBe('signed')
  const attempt = { sentAt: null, problem: 'TRX_MISSING' }
  expect(h.yielded).toEqual([{ dueInSeconds: 5, attempt }])
})

test('a worker whose claim is not the newest says so', async () => {
  const h = harness()
  h.world.yieldClaim = async () => false
  expect(await h.settle(signed())).toBe('stale')
  h.world.settle = 'stale'
  h.world.outcome = { type: 'confirmed' }
  expect(await h.settle(signed())).toBe('stale')
})

test('a claim that cannot be yielded is left to its lease', async () => {
  const h = harness()
  h.world.yieldClaim = () => Promise.reject(new Unavailable('store', 'no answer'))
  expect(await h.settle(signed())).toBe('signed')
})

test.each([new Unavailable('store', 'no answer'), new Error('a bug')])('%s is not hidden', async (error) => {
  const h = harness()
  h.world.isSilent = true
  h.world.error = error
  await expect(h.settle(signed())).rejects.toBe(error)
})
