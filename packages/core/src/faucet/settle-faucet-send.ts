import type { Broadcaster } from '../chain/chain.ts'
import type { Clock } from '../time.ts'
import { Unavailable } from '../unavailable.ts'
import type { FaucetSend } from './faucet.ts'
import type { ClaimedSend, FaucetStore } from './ports.ts'

/** The ports of `settleFaucetSend`. */
export type SettleFaucetSendPorts = {
  readonly faucet: Pick<FaucetStore, 'find' | 'yieldClaim' | 'settle'>
  readonly broadcaster: Pick<Broadcaster, 'broadcast' | 'outcome'>
  readonly now: Clock
}

/** Settles one claimed send. @returns the send as it now stands: settled, or still `submitted` and due later */
export type SettleFaucetSend = (claimed: ClaimedSend) => Promise<FaucetSend>

/**
 * Settles a send with the outcome of its transfer, and rebroadcasts its bytes while no solid block has them.
 *
 * Never signs again: two signed transfers could both be paid. A send has failed when its transfer moved
 * nothing in a solid block, or when solid blocks are past its expiry without it.
 *
 * @throws Unavailable when the outcome could not be recorded; the claim's lease then expires
 * @example
 * ```ts
 * const settle = settleFaucetSend(ports)
 * const leaseSeconds = 15
 * for (const claimed of await ports.faucet.claimDue(10, leaseSeconds)) await settle(claimed)
 * console.log((await ports.faucet.claimDue(10, leaseSeconds)).length) // 0
 * ```
 */
export function settleFaucetSend(ports: SettleFaucetSendPorts): SettleFaucetSend {
  return async ({ claim, send, claimCount }) => {
    const { faucet } = ports
    const status = await outcomeOf(ports, send)
    if (status === undefined) {
      // Safe to ignore: the lease expires, and then the send is due.
      await faucet.yieldClaim(claim, sendDelaySeconds(claimCount)).catch(() => false)
      return send
    }
    if ((await faucet.settle(claim, status)) === 'committed') return { ...send, status }
    return (await faucet.find(send.tenantId, send.key)) ?? send
  }
}

const delaysSeconds = [2, 5, 10, 30]

/** Seconds to wait before the next claim of an unsettled send, after `claimCount` claims. */
export const sendDelaySeconds = (claimCount: number): number => delaysSeconds[claimCount - 1] ?? 60

/** The send's final status; undefined while it is open or the chain is unavailable. */
async function outcomeOf(
  { broadcaster, now }: SettleFaucetSendPorts,
  { transfer }: FaucetSend,
): Promise<'confirmed' | 'failed' | undefined> {
  try {
    const outcome = await broadcaster.outcome(transfer.txHash)
    if (outcome.type !== 'absent') return outcome.type
    if (outcome.through.at >= transfer.expiresAt) return 'failed'
    if (now() < transfer.expiresAt) await broadcaster.broadcast(transfer)
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
  }
  return undefined
}
