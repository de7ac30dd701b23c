import { bob, idSource, parseMoney, type QrNetwork } from '@quipu/core'
import type { NetworkAnswer, PaymentOrder, StatementRow } from '@quipu/core/adapter'
import {
  type Course,
  type OpenHubSimulator,
  type PlannedQrRequest,
  startOpenHub,
  type SwitchesPatch,
} from '@quipu/simulators'
import { onTestFinished } from 'vitest'
import { openHub } from './openhub.ts'
import type { OpenHubOptions } from './options.ts'

/** Another adapter in place of ours: one with a fault. */
export type Plant = (network: QrNetwork) => QrNetwork

export type SimulatedHub = {
  readonly network: QrNetwork
  readonly hub: OpenHubSimulator
  now(): Date
  advance(ms: number): Promise<void>
  /** Reads a new QR of BOB 100.00; the order that pays it. */
  order(request?: Partial<PlannedQrRequest>, amount?: bigint): Promise<PaymentOrder>
  rows(from: Date, to: Date): Promise<StatementRow[]>
}

const ids = idSource((size) => crypto.getRandomValues(new Uint8Array(size)))
const never = new AbortController().signal

/** The adapter at the simulator, whose switches are the worst by default. It is 20 November, 22:00 in Bolivia. */
export async function simulatedHub(
  switches: SwitchesPatch = {},
  plant: Plant = (network) => network,
  options: Partial<OpenHubOptions> = {},
): Promise<SimulatedHub> {
  let passedMs = 0
  const now = (): Date => new Date(Date.parse('2026-11-21T02:00:00.320Z') + passedMs)
  const client = { clientId: 'client', clientSecret: 'client-secret' }
  const hub = await startOpenHub({ ...client, now, switches })
  const [sourceAccount] = hub.accounts
  const common = { url: hub.url, credentials: client, nit: hub.nit, sourceAccount, now, monotonic: () => passedMs }
  const adapter = openHub({ ...common, ...options })
  onTestFinished(async () => {
    await hub.stop()
    await adapter.stop()
  })
  const network = plant(adapter)
  return {
    network,
    hub,
    now,
    async advance(ms) {
      passedMs += ms
      await hub.tick()
    },
    async order(request = {}, amount = 100_00n) {
      const own = request.amount_mode === 'open' ? {} : { amount: '100.00' }
      const { content } = hub.issueQr({ amount_mode: 'closed', description: 'Almuerzo', ...own, ...request })
      const read = await network.readQr(content, never)
      if (read.type !== 'read') throw new Error(`refused: ${read.reason}`)
      const { networkRef, amountMode } = read
      const description = read.description === null ? 'Pago QR' : null
      const reference = ids.next('po', now())
      return { reference, networkRef, content, amountMode, amount: read.amount ?? bob(amount), description }
    },
    async rows(from, to) {
      const rows = []
      for await (const row of network.statement(from, to)) rows.push(row)
      return rows
    },
  }
}

/** How an order ended for one who pays once and queries its status, as the core does; the newest answer otherwise. */
export async function endOf(
  { network, advance }: SimulatedHub,
  order: PaymentOrder,
  queries = 3,
): Promise<NetworkAnswer> {
  let { networkRef } = order
  let answer = await network.pay(order)
  for (let n = 0; n < queries && !isFinal(answer); n++) {
    networkRef = ('networkRef' in answer ? answer.networkRef : undefined) ?? networkRef
    await advance(60_000)
    answer = await network.status(order.reference, networkRef)
  }
  return answer
}

const isFinal = ({ type }: NetworkAnswer): boolean => !['pending', 'unknown', 'not_seen', 'returned'].includes(type)

/** The ledger’s contradiction of an end; undefined for a right one. */
export function contradictionOf(
  { hub }: SimulatedHub,
  { reference }: PaymentOrder,
  end: NetworkAnswer,
): string | undefined {
  const { orders, paid_twice, breaches } = hub.ledger(reference)
  const paid = orders.filter(({ paid_at }) => paid_at !== null)
  if (paid_twice.by_reference.length + paid_twice.by_transaction.length > 0) return 'paid twice'
  const broken = Object.entries(breaches).find(([, count]) => count > 0)
  if (broken) return broken[0]
  if (end.type === 'paid' && paid.length === 0) return 'completed unpaid'
  if (
    end.type === 'paid' &&
    paid[0]?.amount !== undefined &&
    parseMoney('BOB', paid[0].amount)?.minor !== end.amount?.minor
  )
    return 'another amount'
  if (isFinal(end) && end.type !== 'paid' && paid.length > 0) return 'released though paid'
  return undefined
}

/** The courses of an order in which it is paid. */
export const paidCourses: readonly Course[] = ['paid', 'in_process_paid', 'pending_paid', 'unconfirmed_paid']
export const unpaidCourses: readonly Course[] = [
  'rejected',
  'in_process_rejected',
  'pending_rejected',
  'unpaid',
  'none',
]
