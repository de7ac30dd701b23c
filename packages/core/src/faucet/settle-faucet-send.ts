import type { Broadcaster } from '../deposit/chain.ts'
import type { Clock } from '../time.ts'
import { Unavailable } from '../unavailable.ts'
import type { FaucetSend } from './faucet.ts'
import type { ClaimedSend, FaucetStore } from './ports.ts'

export type SettleFaucetSendPorts = {
  readonly faucet: Pick<FaucetStore, 'find' | 'yieldClaim' | 'settle'>
  readonly broadcaster: Pick<Broadcaster, 'broadcast' | 'outcome'>
  readonly now: Clock
}

/** @returns the send as it now stands: ended, or still `submitted` and due again later */
export type SettleFaucetSend = (claimed: ClaimedSend) => Promise<FaucetSend>

/**
 * Finds out what became of a send, and broadcasts its bytes again while no solid block has them.
 *
 * Never signs: a transfer that is signed anew may be paid twice. A send has failed when solid
 * blocks show that it moved nothing, or when they have passed its expiry and do not have it.
 *
 * @throws Unavailable when the outcome could not be recorded; the claim then ends by itself
 * @source assumed
 */
export const settleFaucetSend =
  (ports: SettleFaucetSendPorts): SettleFaucetSend =>
  async ({ claim, send, claimCount }) => {
    const { faucet } = ports
    const status = await endOf(ports, send)
    if (status === undefined) {
      // Not even this matters if it fails: the lease ends, and then the send is due.
      await faucet.yieldClaim(claim, sendDelaySeconds(claimCount)).catch(() => false)
      return send
    }
    if ((await faucet.settle(claim, status)) === 'committed') return { ...send, status }
    return (await faucet.find(send.tenantId, send.key)) ?? send
  }

const delaysSeconds = [2, 5, 10, 30]

/**
 * How long a send waits that has not ended, after it was claimed `asked` times.
 *
 * @returns seconds: 2, 5, 10, 30, then 60 for ever
 * @source assumed
 */
export const sendDelaySeconds = (asked: number): number => delaysSeconds[asked - 1] ?? 60

/** How the send ended; undefined while that is open, or cannot be told. */
async function endOf(
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
