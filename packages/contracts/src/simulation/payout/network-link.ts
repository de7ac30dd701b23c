import { bob, type QrNetwork, Unavailable } from '@quipu/core'
import type { NetworkAnswer, PaymentOrder, StatementRow } from '@quipu/core/adapter'
import type { EventLoop } from '../event-loop.ts'
import type { Machine } from '../machine.ts'

/** The connection between the machines and the network, with its faults and the orders that were sent. */
export type NetworkLink = {
  /** Probability that a message is lost. */
  faults: number
  /** While it is set every message is lost. */
  isDown: boolean
  /** The number of times that each order was sent, by reference. */
  readonly sent: Map<string, number>
  /** References for which the network reports a wrong amount. */
  readonly wrongAmounts: Set<string>
  /** References of orders that were provably not sent. */
  readonly unsent: Set<string>
  /** The network as this machine calls it. */
  from(machine: Machine): QrNetwork
}

type Unknown = Extract<NetworkAnswer, { type: 'unknown' }>

const deadlineMs = 90_000

/** Without faults until `faults` or `isDown` is set. A payment waits for at most 90 seconds. @param onOrder called for every order that the network has received */
export function networkLink(loop: EventLoop, network: QrNetwork, onOrder: (order: PaymentOrder) => void): NetworkLink {
  const link: NetworkLink = {
    faults: 0,
    isDown: false,
    from,
    sent: new Map(),
    wrongAmounts: new Set(),
    unsent: new Set(),
  }
  const isLost = (): boolean => link.isDown || loop.chance(link.faults)

  async function enter(order: PaymentOrder): Promise<NetworkAnswer> {
    const answer = await network.pay(order)
    if (answer.type === 'not_sent') link.unsent.add(order.reference)
    onOrder(order)
    return reported(order.reference, answer)
  }
  async function order(order: PaymentOrder): Promise<NetworkAnswer> {
    link.sent.set(order.reference, (link.sent.get(order.reference) ?? 0) + 1)
    if (loop.chance(link.faults / 4)) link.wrongAmounts.add(order.reference)
    if (loop.chance(link.faults / 4)) {
      link.unsent.add(order.reference)
      return { type: 'not_sent', reason: 'connection refused' }
    }
    // A message that arrives twice: the network answers with its record.
    if (loop.chance(link.faults / 4)) loop.after(loop.random() * 60_000, () => void enter(order))
    if (isLost()) {
      // Lost for its sender. Half of these orders arrive much later.
      if (loop.chance(0.5)) loop.after(loop.random() * 200_000, () => void enter(order))
      return { type: 'unknown', reason: 'the order was lost' }
    }
    return back(await enter(order))
  }
  const back = <T>(answer: T): T | Unknown => (isLost() ? { type: 'unknown', reason: 'the answer was lost' } : answer)
  const ask = async <T>(question: () => Promise<T>): Promise<T | Unknown> =>
    isLost() ? { type: 'unknown', reason: 'the question was lost' } : back(await question())
  const known = async <T>(question: () => Promise<T>): Promise<T> => {
    if (!isLost()) {
      const answer = await question()
      if (!isLost()) return answer
    }
    throw new Unavailable('qr_network', 'no answer')
  }
  const reported = <T extends { type: string }>(reference: string, answer: T): T =>
    answer.type === 'paid' && link.wrongAmounts.has(reference) ? { ...answer, amount: bob(1n) } : answer

  function from(machine: Machine): QrNetwork {
    const { cancel } = network
    const pay = machine.remote(order)
    const statement = machine.remote((from: Date, to: Date) =>
      known(async () => {
        const rows: StatementRow[] = []
        for await (const row of network.statement(from, to)) rows.push(row)
        return rows
      }),
    )
    return {
      identity: network.identity,
      capabilities: network.capabilities,
      readQr: machine.remote((content, signal) => known(() => network.readQr(content, signal))),
      liquidity: machine.remote(() => known(network.liquidity)),
      async *statement(from, to) {
        yield* await statement(from, to)
      },
      pay: (order) => {
        const deadline = machine.timer(deadlineMs).done
        const none: Unknown = { type: 'unknown', reason: 'no answer in time' }
        return Promise.race([pay(order), deadline.then(() => none)])
      },
      status: machine.remote((reference, networkRef) =>
        ask(async () => reported(reference, await network.status(reference, networkRef))),
      ),
      ...(cancel && {
        cancel: machine.remote((reference: string, networkRef: string) =>
          ask(async () => reported(reference, await cancel(reference, networkRef))),
        ),
      }),
    }
  }
  return link
}
