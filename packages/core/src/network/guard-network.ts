import { recentReading } from '../recent-reading.ts'
import type { Monotonic } from '../time.ts'
import { Unavailable } from '../unavailable.ts'
import type { NetworkState, NetworkStore } from './network-store.ts'
import type { NetworkAnswer, QrNetwork } from './qr-network.ts'

/** The ports of `networkGuard`. */
export type NetworkGuardPorts = {
  readonly networks: Pick<NetworkStore, 'meet'>
  readonly network: Pick<QrNetwork, 'identity'>
  readonly monotonic: Monotonic
}

/** The state of this process's network in the database, at most `freshMs` old. @throws Unavailable when it cannot be read */
export type NetworkGuard = () => Promise<NetworkState>

const freshMs = 5_000

/**
 * Presents the network of this process to the database, which halts it when payouts are ordered at another one, or
 * when it has lost its ledger.
 *
 * @example
 * ```ts
 * const guard = networkGuard(ports)
 * console.log(await guard()) // ours
 * ```
 */
export function networkGuard(ports: NetworkGuardPorts): NetworkGuard {
  const { networks, network, monotonic } = ports
  return recentReading(() => networks.meet(network.identity), freshMs, monotonic)
}

type Callable = Pick<QrNetwork, 'identity' | 'capabilities' | 'readQr' | 'pay' | 'status' | 'cancel'> &
  Partial<Pick<QrNetwork, 'liquidity' | 'statement'>>

const reasons: Readonly<Record<Exclude<NetworkState, 'ours'>, string>> = {
  other: 'payouts are ordered at another network; an admin confirms a move',
  forgetful: 'the network does not know a payment of the books; an admin confirms it',
}

/**
 * The network, which is not called while the guard halts it: nothing is read, paid, queried or cancelled.
 *
 * An order is then `not_sent`. It can only come within the seconds in which a QR of before is still fresh. A database that
 * cannot be read halts no order at a network that it has called ours before: the order's payout was committed to it just now.
 */
export function guardedNetwork<Network extends Callable>(network: Network, guard: NetworkGuard): Network {
  let last: NetworkState | undefined
  const halted = async (): Promise<string | null> => {
    last = await guard()
    return last === 'ours' ? null : reasons[last]
  }
  const open = async (): Promise<void> => {
    const reason = await halted()
    if (reason !== null) throw new Unavailable('qr_network', reason)
  }
  const ifAllowed = async <T>(call: () => Promise<T>): Promise<T | NetworkAnswer> => {
    const reason = await halted().catch((error: unknown) => String(error))
    return reason === null ? call() : { type: 'unknown', reason }
  }
  const { cancel, liquidity, statement } = network
  const guarded: Callable = {
    identity: network.identity,
    capabilities: network.capabilities,
    readQr: async (content, signal) => {
      await open()
      return network.readQr(content, signal)
    },
    pay: async (order) => {
      const reason = await halted().catch((error: unknown) => (last === 'ours' ? null : String(error)))
      return reason === null ? network.pay(order) : { type: 'not_sent', reason }
    },
    status: (reference, networkRef) => ifAllowed(() => network.status(reference, networkRef)),
    ...(cancel && { cancel: (reference, networkRef) => ifAllowed(() => cancel(reference, networkRef)) }),
    ...(liquidity && {
      liquidity: async () => {
        await open()
        return liquidity()
      },
    }),
    ...(statement && {
      async *statement(from, to) {
        await open()
        yield* statement(from, to)
      },
    }),
  }
  return { ...network, ...guarded }
}
