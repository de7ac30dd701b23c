import { bob, cancelling, type QrNetwork, Unavailable } from '@quipu/core'
import { expect, test } from 'vitest'
import { measuredNetwork } from './measured-network.ts'
import { prometheusMetrics } from './metrics.ts'

const network = {
  identity: 'https://qr.test',
  capabilities: cancelling,
  readQr: async (_content: string, _signal: AbortSignal) => ({ type: 'refused_qr', reason: 'expired' }) as const,
  pay: async (_order: Parameters<QrNetwork['pay']>[0]) => ({ type: 'unknown', reason: 'timeout' }) as const,
  status: async (_reference: string, _networkRef: string) => ({ type: 'not_seen' }) as const,
  cancel: async (_reference: string, _networkRef: string) => ({ type: 'cancelled' }) as const,
  liquidity: () => Promise.reject(new Unavailable('qr_network', 'down')),
  async *statement(_from: Date, _to: Date) {
    yield 1 as never
    yield 2 as never
  },
} satisfies QrNetwork

const order = {
  reference: 'po_1',
  networkRef: 'ref',
  content: 'qr',
  amountMode: 'open',
  description: null,
  amount: bob(1n),
} as const

test('records each call by its operation and answer, and answers as the network does', async () => {
  const metrics = prometheusMetrics()
  const measured = measuredNetwork(metrics, 'http', network)
  expect(await measured.readQr('qr', new AbortController().signal)).toMatchObject({ type: 'refused_qr' })
  expect(await measured.pay(order)).toMatchObject({ type: 'unknown' })
  expect(await measured.status('po_1', 'ref')).toEqual({ type: 'not_seen' })
  expect(await measured.cancel('po_1', 'ref')).toEqual({ type: 'cancelled' })
  await expect(measured.liquidity()).rejects.toBeInstanceOf(Unavailable)
  const rows: unknown[] = []
  for await (const row of measured.statement(new Date(0), new Date(1))) rows.push(row)
  expect(rows).toEqual([1, 2])

  const counts = (await metrics.text()).match(/_count\{.*\} [1-9]/g)
  expect(counts?.toSorted()).toEqual(
    [
      ['cancel', 'cancelled'],
      ['liquidity', 'unavailable'],
      ['pay', 'unknown'],
      ['read_qr', 'refused_qr'],
      ['statement', 'ok'],
      ['status', 'not_seen'],
    ].map(([operation, result]) => `_count{network="http",operation="${operation}",result="${result}"} 1`),
  )
})

test('a network that cannot cancel stays one', () => {
  const { cancel: _, ...without } = network
  expect(measuredNetwork(prometheusMetrics(), 'http', without)).not.toHaveProperty('cancel')
})

test('a statement that is not read to its end is closed', async () => {
  let isClosed = false
  const measured = measuredNetwork(prometheusMetrics(), 'http', {
    ...network,
    async *statement(_from: Date, _to: Date) {
      try {
        yield 1 as never
        yield 2 as never
      } finally {
        isClosed = true
      }
    },
  })
  for await (const _ of measured.statement(new Date(0), new Date(1))) break
  expect(isClosed).toBe(true)
})
