import { expect, test } from 'vitest'
import { bob } from '../money.ts'
import { Unavailable } from '../unavailable.ts'
import { guardedNetwork, networkGuard } from './guard-network.ts'
import type { NetworkState } from './network-store.ts'
import { cancelling, type QrNetwork } from './qr-network.ts'

/** A guard of a network that records its calls. The test sets the clock and what the database says. */
function guarded() {
  const calls: string[] = []
  const time = { ms: 0 }
  const database: { state: NetworkState | Error; met: string[] } = { state: 'ours', met: [] }
  const network: QrNetwork = {
    identity: 'https://qr.example',
    capabilities: cancelling,
    readQr: async () => (calls.push('readQr'), { type: 'refused_qr', reason: 'QR_INVALID' }),
    pay: async () => (calls.push('pay'), { type: 'pending' }),
    status: async () => (calls.push('status'), { type: 'not_seen' }),
    cancel: async () => (calls.push('cancel'), { type: 'cancelled' }),
    liquidity: async () => (calls.push('liquidity'), { available: bob(1n), at: new Date(0) }),
    statement: () => {
      calls.push('statement')
      return (async function* () {
        yield* []
      })()
    },
  }
  const meet = async (identity: string): Promise<NetworkState> => {
    database.met.push(identity)
    if (database.state instanceof Error) throw database.state
    return database.state
  }
  const guard = networkGuard({ networks: { meet }, network, monotonic: () => time.ms })
  return { calls, time, database, guard, network: guardedNetwork(network, guard) }
}

const order = {
  reference: 'po_1',
  networkRef: 'n',
  content: 'x',
  amountMode: 'open',
  description: null,
  amount: bob(1n),
} as const
const { signal } = new AbortController()

async function callAll(network: QrNetwork) {
  const failed = (error: unknown): string => (error instanceof Unavailable ? error.dependency : String(error))
  const drain = async (): Promise<string> => {
    for await (const _ of network.statement(new Date(0), new Date(1)));
    return 'read'
  }
  return {
    readQr: await network.readQr('x', signal).catch(failed),
    pay: await network.pay(order),
    status: await network.status('po_1', 'n'),
    cancel: await network.cancel?.('po_1', 'n'),
    liquidity: await network.liquidity().catch(failed),
    statement: await drain().catch(failed),
  }
}

test.each(['other', 'forgetful'] as const)('a network that is %s is not called', async (state) => {
  const { network, calls, database } = guarded()
  database.state = state
  const reason = expect.any(String) as string
  expect(await callAll(network)).toEqual({
    readQr: 'qr_network',
    pay: { type: 'not_sent', reason },
    status: { type: 'unknown', reason },
    cancel: { type: 'unknown', reason },
    liquidity: 'qr_network',
    statement: 'qr_network',
  })
  expect(calls).toEqual([])
})

test('the database is queried again after 5 s, and at once after a failure', async () => {
  const { guard, time, database } = guarded()
  expect(await Promise.all([guard(), guard()])).toEqual(['ours', 'ours'])
  database.state = 'other'
  time.ms = 4_999
  expect(await guard()).toBe('ours')
  time.ms = 5_000
  expect(await guard()).toBe('other')
  expect(database.met).toHaveLength(2)
  database.state = new Unavailable('store', 'no answer')
  time.ms = 10_000
  await expect(guard()).rejects.toThrow(Unavailable)
  database.state = 'ours'
  expect(await guard()).toBe('ours')
})

test('an order is sent to the network that was ours while the database cannot be read', async () => {
  const { network, calls, database, time } = guarded()
  await network.readQr('x', signal)
  database.state = new Unavailable('store', 'no answer')
  time.ms = 5_000
  expect(await network.pay(order)).toEqual({ type: 'pending' })
  expect(await network.cancel?.('po_1', 'n')).toMatchObject({ type: 'unknown' })
  database.state = 'other'
  expect(await network.pay(order)).toMatchObject({ type: 'not_sent' })
  expect(calls).toEqual(['readQr', 'pay'])
})

test('a network without `cancel` stays one', () => {
  const { guard, network } = guarded()
  const { cancel: _, ...without } = network
  expect(guardedNetwork(without as QrNetwork, guard)).not.toHaveProperty('cancel')
})
