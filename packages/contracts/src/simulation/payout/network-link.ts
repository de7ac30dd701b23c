import { bob, type QrNetwork, Unavailable } from '@quipu/core'
import type { NetworkAnswer, PaymentOrder } from '@quipu/core/adapter'
import type { EventLoop } from '../event-loop.ts'
import type { Machine } from '../machine.ts'

/** The connection between the machines and the network, with its faults and the orders that were sent. */
export type NetworkLink = {
  /** Probability that a message is lost. */
  faults: number
  /** The number of times that each order was sent, by reference. */
  readonly sent: Map<string, number>
  /** References for which the network reports a wrong amount. */
  readonly wrongAmounts: Set<string>
  /** The network as this machine calls it. */
  from(machine: Machine): Required<Pick<QrNetwork, 'readQr' | 'pay' | 'status' | 'cancel'>>
}

type Unknown = Extract<NetworkAnswer, { type: 'unknown' }>

const deadlineMs = 90_000

/** @param onOrder called for every order that the network has received */
export function networkLink(
  loop: EventLoop,
  network: Required<QrNetwork>,
  onOrder: (order: PaymentOrder) => void,
): NetworkLink {
  const link: NetworkLink = { faults: 0, sent: new Map(), wrongAmounts: new Set(), from }
  const isLost = (): boolean => loop.chance(link.faults)

  async function enter(order: PaymentOrder): Promise<NetworkAnswer> {
    const answer = await network.pay(order)
    onOrder(order)
    return reported(order.reference, answer)
  }
  async function order(order: PaymentOrder): Promise<NetworkAnswer> {
    link.sent.set(order.reference, (link.sent.get(order.reference) ?? 0) + 1)
    if (loop.chance(link.faults / 4)) link.wrongAmounts.add(order.reference)
    if (loop.chance(link.faults / 4)) return { type: 'not_sent', reason: 'connection refused' }
    if (isLost()) {
      // Lost for its sender. Half of these orders arrive much later.
      if (loop.chance(0.5)) loop.after(loop.random() * 200_000, () => void enter(order))
      return { type: 'unknown', reason: 'the order was lost' }
    }
    return back(await enter(order))
  }
  const back = <T>(answer: T): T | Unknown =>
    isLost() ? { type: 'unknown', reason: 'the answer was lost' } : answer
  const ask = async <T>(question: () => Promise<T>): Promise<T | Unknown> =>
    isLost() ? { type: 'unknown', reason: 'the question was lost' } : back(await question())
  const reported = <T extends { type: string }>(reference: string, answer: T): T =>
    answer.type === 'paid' && link.wrongAmounts.has(reference)
      ? { ...answer, amount: bob(1n) }
      : answer

  function from(machine: Machine): ReturnType<NetworkLink['from']> {
    const pay = machine.remote(order)
    return {
      readQr: machine.remote(async (content, signal) => {
        const answer = await ask(() => network.readQr(content, signal))
        if (answer.type === 'unknown') throw new Unavailable('qr_network', answer.reason)
        return answer
      }),
      pay: (order) => {
        const deadline = machine.timer(deadlineMs).done
        const none: Unknown = { type: 'unknown', reason: 'no answer in time' }
        return Promise.race([pay(order), deadline.then(() => none)])
      },
      status: machine.remote((reference, networkRef) =>
        ask(async () => reported(reference, await network.status(reference, networkRef))),
      ),
      cancel: machine.remote((reference, networkRef) =>
        ask(async () => reported(reference, await network.cancel(reference, networkRef))),
      ),
    }
  }
  return link
}
