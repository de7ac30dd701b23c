import { bob, Unavailable } from '@quipu/core'
import type { PaymentOrder, SandboxScenario } from '@quipu/core/adapter'
import { expect, test } from 'vitest'
import { memoryQrNetwork, type MemoryQrNetworkOptions } from './qr-network.ts'
import type { NetworkCall } from './network-transport.ts'

const start = new Date('2026-03-01T00:00:00.000Z')
const never = new AbortController().signal

function openNetwork(options: Omit<MemoryQrNetworkOptions, 'now'> = {}) {
  const clock = { now: start }
  const network = memoryQrNetwork({ now: () => clock.now, ...options })
  const advance = (seconds: number) => {
    clock.now = new Date(clock.now.getTime() + seconds * 1000)
  }
  return { network, advance }
}
type Network = ReturnType<typeof openNetwork>['network']

async function orderOn(network: Network, scenario: SandboxScenario = 'paid'): Promise<PaymentOrder> {
  const amount = bob(10_000n)
  const qr = { amountMode: 'closed', amount, merchantName: null, description: null } as const
  const { content } = await network.issue({ ...qr, scenario })
  const read = await network.readQr(content, never)
  if (read.type === 'refused_qr') throw new Error(read.reason)
  const { networkRef } = read
  return { reference: 'po_1', networkRef, content, amountMode: 'closed', amount, description: 'Pago QR' }
}

/** Applies the fault to orders alone, so that QRs can still be read. */
const toOrders =
  <T extends string>(fate: T) =>
  async (call: NetworkCall): Promise<T | 'arrives'> =>
    call.type === 'pay' ? fate : 'arrives'

test('a lost order is unknown to the caller and not seen by the network', async () => {
  const { network } = openNetwork({ hooks: { sending: toOrders('lost') } })
  const order = await orderOn(network)
  expect(await network.pay(order)).toMatchObject({ type: 'unknown' })
  expect(network.answerOf(order.reference)).toBeUndefined()
})

test('an order whose connection is refused is provably not sent', async () => {
  const { network } = openNetwork({ hooks: { sending: toOrders('refused') } })
  const order = await orderOn(network)
  expect(await network.pay(order)).toMatchObject({ type: 'not_sent' })
  expect(network.answerOf(order.reference)).toBeUndefined()
})

test('an order whose response is lost is unknown to the caller, and is paid', async () => {
  const { network } = openNetwork({ hooks: { answering: toOrders('lost') } })
  const order = await orderOn(network)
  expect(await network.pay(order)).toMatchObject({ type: 'unknown' })
  expect(await network.status(order.reference, order.networkRef)).toMatchObject({ type: 'paid' })
})

test('a lost or refused status or cancel call is unknown, and a lost read throws Unavailable', async () => {
  for (const fate of ['lost', 'refused'] as const) {
    const { network } = openNetwork({ hooks: { sending: async () => fate } })
    const { content } = await network.issue({
      amountMode: 'open',
      amount: null,
      merchantName: null,
      description: null,
      scenario: 'paid',
    })
    await expect(network.readQr(content, never)).rejects.toThrow(Unavailable)
    expect(await network.status('po_1', 'x')).toMatchObject({ type: 'unknown' })
    expect(await network.cancel?.('po_1', 'x')).toMatchObject({ type: 'unknown' })
    expect(network.answerOf('po_1')).toBeUndefined()
  }
})

test('an order that arrives after its reference was cancelled is not paid', async () => {
  const { network } = openNetwork({ hooks: { sending: toOrders('lost') } })
  const order = await orderOn(network)
  await network.pay(order)
  expect(await network.cancel?.(order.reference, order.networkRef)).toEqual({ type: 'cancelled' })
  expect(network.arrive(order)).toEqual({ type: 'cancelled' })
})

test('a delayed order is not seen until it arrives', async () => {
  const gate = Promise.withResolvers<'arrives'>()
  const { network } = openNetwork({
    hooks: { sending: (call) => (call.type === 'pay' ? gate.promise : Promise.resolve('arrives')) },
  })
  const order = await orderOn(network)
  const answer = network.pay(order)
  expect(await network.status(order.reference, order.networkRef)).toEqual({ type: 'not_seen' })
  gate.resolve('arrives')
  expect(await answer).toMatchObject({ type: 'paid' })
})

test('a network that pays another amount answers and records that amount', async () => {
  const { network } = openNetwork({ hooks: { paying: ({ amount }) => bob(amount.minor + 1n) } })
  const order = await orderOn(network)
  const paid = { type: 'paid', amount: bob(10_001n) }
  expect(await network.pay(order)).toMatchObject(paid)
  expect(network.answerOf(order.reference)).toMatchObject(paid)
})

test('a late payment becomes paid after `lateSeconds`, dated at that instant', async () => {
  const { network, advance } = openNetwork({ lateSeconds: 3 })
  const order = await orderOn(network, 'late')
  expect(await network.pay(order)).toEqual({ type: 'pending' })
  advance(2)
  expect(network.answerOf(order.reference)).toEqual({ type: 'pending' })
  advance(60)
  expect(network.answerOf(order.reference)).toMatchObject({ type: 'paid' })
  const rows = []
  for await (const row of network.statement(start, new Date(start.getTime() + 3_000))) rows.push(row)
  expect(rows).toMatchObject([{ reference: 'po_1', paidAt: new Date(start.getTime() + 3_000) }])
})

test('a late payment can be refused, and is decided only once', async () => {
  const { network } = openNetwork({ lateSeconds: null })
  const order = await orderOn(network, 'late')
  await network.pay(order)
  network.settle(order.reference, 'refused_qr')
  network.settle(order.reference, 'paid')
  expect(network.answerOf(order.reference)).toEqual({ type: 'refused_qr' })
  expect((await network.liquidity()).available).toEqual(bob(1_000_000_000n))
})

test('a network with too little money answers no_liquidity', async () => {
  const { network } = openNetwork({ funds: bob(9_999n) })
  expect(await network.pay(await orderOn(network))).toEqual({ type: 'no_liquidity' })
})

test('a QR that expires between reading and paying is refused', async () => {
  const { network, advance } = openNetwork()
  const order = await orderOn(network)
  advance(24 * 3_600)
  expect(await network.pay(order)).toEqual({ type: 'refused_qr' })
  expect(await network.readQr(order.content, never)).toMatchObject({ type: 'refused_qr' })
})

test('an order with an unknown networkRef, no description or another content is provably not sent', async () => {
  const { network } = openNetwork()
  const order = await orderOn(network)
  for (const bad of [{ networkRef: '1-0' }, { description: null }, { content: 'x' }]) {
    expect(await network.pay({ ...order, ...bad })).toMatchObject({ type: 'not_sent' })
  }
  expect(network.answerOf(order.reference)).toBeUndefined()
})

test('the `read` option reads contents that the network has not issued', async () => {
  const { network } = openNetwork({
    read: (content) =>
      content === 'MOCK:OPEN'
        ? {
            amountMode: 'open',
            amount: null,
            merchant: { name: 'Mercado', bankCode: '1001' },
            description: null,
            expiresAt: null,
            scenario: 'paid',
          }
        : undefined,
  })
  const read = await network.readQr('MOCK:OPEN', never)
  expect(read).toMatchObject({ type: 'read', amountMode: 'open', expiresAt: null })
  expect(await network.readQr('MOCK:CLOSED', never)).toMatchObject({ type: 'refused_qr' })
})
