import { setTimeout as pause } from 'node:timers/promises'
import type { Load } from './plan.ts'
import type { DescribedOrder, TenantClient } from './tenant-client.ts'

/** Requests of one tenant that continue during a fail-over. */
export type RunningLoad = {
  /** All orders sent so far. */
  readonly orders: readonly DescribedOrder[]
  /** Resolves when each writer has got a 503, or an answer to an order sent after this call. */
  untilAnswered(): Promise<void>
  /** Stops new orders; resolves when the pending ones are answered. Readers continue. */
  stopOrders(): Promise<void>
  stop(): Promise<void>
}

type Counts = { readonly writers: number; readonly readers: number; readonly quoters: number }

/** Number of concurrent clients of each kind. */
const counts: Readonly<Record<Load, Counts>> = {
  quiet: { writers: 1, readers: 1, quoters: 0 },
  busy: { writers: 32, readers: 6, quoters: 4 },
}

/** Quotes created in advance, because a stall blocks new ones. */
const reserveOf: Readonly<Record<Load, number>> = { quiet: 60, busy: 300 }
const pauseMs = 20

export async function startLoad(load: Load, client: TenantClient, random: () => number): Promise<RunningLoad> {
  const { writers, readers, quoters } = counts[load]
  const reserve = await makeReserve(client, reserveOf[load])
  const writing = startOrders({ client, reserve, writers, quoters, repeats: load === 'busy' })
  const reading = startReading({ client, orders: writing.orders, readers, random })
  return {
    ...writing,
    stop: async () => {
      await writing.stopOrders()
      await reading.stop()
    },
  }
}

type Writing = {
  readonly client: TenantClient
  /** Orders not sent yet. */
  readonly reserve: DescribedOrder[]
  readonly writers: number
  readonly quoters: number
  /** Whether each order is sent twice, possibly to another API. */
  readonly repeats: boolean
}

function startOrders({ client, reserve, writers, quoters, repeats }: Writing) {
  const orders: DescribedOrder[] = []
  /** Send time of each writer's last answered order; infinite after a 503. */
  const answered = Array.from({ length: writers }, () => 0)
  let stopped = false
  const write = async (writer: number): Promise<void> => {
    while (!stopped) {
      const since = performance.now()
      const order = reserve.pop() ?? (await client.order())
      if (order === undefined) {
        await pause(pauseMs)
        continue
      }
      orders.push(order)
      const answer = await client.pay(order)
      answered[writer] = answer === 'uncertain' ? Infinity : since
      if (repeats) await client.pay(order)
    }
  }
  const quote = async (): Promise<void> => {
    while (!stopped) {
      const order = await client.order()
      if (order !== undefined) reserve.unshift(order)
      await pause(pauseMs)
    }
  }
  const working = Promise.all([...times(writers, write), ...times(quoters, quote)])
  return {
    orders,
    untilAnswered: async (): Promise<void> => {
      const now = performance.now()
      while (answered.some((since) => since < now)) await pause(pauseMs)
    },
    stopOrders: async (): Promise<void> => {
      stopped = true
      await working
    },
  }
}

type Reading = {
  readonly client: TenantClient
  readonly orders: readonly DescribedOrder[]
  readonly readers: number
  readonly random: () => number
}

function startReading({ client, orders, readers, random }: Reading) {
  let stopped = false
  const read = async (): Promise<void> => {
    while (!stopped) {
      const newest = orders.slice(-40)
      const order = newest[Math.floor(random() * newest.length)]
      if (order !== undefined) await client.read(order)
      await pause(pauseMs)
    }
  }
  const working = Promise.all(times(readers, read))
  return {
    stop: async (): Promise<void> => {
      stopped = true
      await working
    },
  }
}

const times = (count: number, work: (number: number) => Promise<void>): Promise<void>[] =>
  Array.from({ length: count }, (_, number) => work(number))

async function makeReserve(client: TenantClient, count: number): Promise<DescribedOrder[]> {
  const orders = await Promise.all(Array.from({ length: count }, () => client.order()))
  return orders.filter((order) => order !== undefined)
}

/**
 * Repeats every order with the same body until it has ended.
 *
 * @param makeDue  makes open payouts due for the worker; called after each pass
 * @returns the orders that had not ended after 90 s
 */
export async function repeatUntilEnded(
  orders: readonly DescribedOrder[],
  client: TenantClient,
  makeDue: () => Promise<void>,
): Promise<readonly DescribedOrder[]> {
  const deadline = performance.now() + 90_000
  let open = orders
  while (open.length > 0 && performance.now() < deadline) {
    const left: DescribedOrder[] = []
    for (let first = 0; first < open.length; first += atOnce) {
      const some = open.slice(first, first + atOnce)
      const ended = await Promise.all(some.map((order) => client.pay(order)))
      left.push(...some.filter((_, place) => ended[place] !== 'ended'))
    }
    open = left
    if (open.length > 0) await makeDue()
    await pause(pauseMs)
  }
  return open
}

const atOnce = 16
