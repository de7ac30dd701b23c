import type { RaiseAlert } from '../alert.ts'
import type { Broadcaster, SignedTransfer } from '../chain/chain.ts'
import type { Clock } from '../time.ts'
import { Unavailable } from '../unavailable.ts'
import type { ClaimedSweep, SweepAttempt, SweepChain, SweepStore } from './ports.ts'
import type { EndedSweepStatus, SweepTransfer } from './sweep.ts'

/** The ports of `settleSweep`. */
export type SettleSweepPorts = {
  readonly sweeps: Pick<SweepStore, 'yieldClaim' | 'settle'>
  readonly chain: Pick<SweepChain, 'cost' | 'join'>
  readonly broadcaster: Pick<Broadcaster, 'broadcast' | 'outcome'>
  readonly now: Clock
  readonly raiseAlert: RaiseAlert
}

/** Settles one claimed transfer. @returns its state now, or `stale` when another worker has it */
export type SettleSweep = (claimed: ClaimedSweep) => Promise<SweepTransfer['status'] | 'stale'>

/**
 * Ends a sweep transfer with its outcome in solid blocks; while there is none, sends its signed bytes again.
 *
 * It is never built or signed again: another transfer of the address is planned only after this one has ended.
 * `expired` needs a solid block past its expiry and no block that contains it, whether it was signed here or not: an
 * exported transfer can be signed and sent by others. Nothing is sent while the address lacks the TRX, because a
 * transfer that runs out of energy burns its fee and moves nothing.
 *
 * @throws Unavailable when the outcome could not be recorded; the claim's lease then expires
 * @example
 * ```ts
 * const settle = settleSweep(ports)
 * const leaseSeconds = 15
 * for (const claimed of await ports.sweeps.claimDue(10, leaseSeconds)) await settle(claimed)
 * console.log((await ports.sweeps.claimDue(10, leaseSeconds)).length) // 0
 * ```
 */
export function settleSweep(ports: SettleSweepPorts): SettleSweep {
  return async (claimed) => {
    const { claim, transfer, claimCount } = claimed
    let attempt: SweepAttempt = transfer
    try {
      const ended = await outcomeOf(ports, transfer)
      if (ended !== undefined) return await end(ports, claimed, ended)
      attempt = await send(ports, claimed)
      alertUnsent(ports.raiseAlert, transfer, attempt)
    } catch (error) {
      if (!(error instanceof Unavailable) || error.dependency === 'store') throw error
    }
    const dueInSeconds = sweepDelaySeconds(transfer, claimCount, attempt.sentAt)
    // Safe to ignore: the lease expires, and then the transfer is due.
    const isMine = await ports.sweeps.yieldClaim(claim, dueInSeconds, attempt).catch(() => true)
    return isMine ? transfer.status : 'stale'
  }
}

async function outcomeOf(
  { broadcaster }: SettleSweepPorts,
  { txHash, expiresAt }: SweepTransfer,
): Promise<EndedSweepStatus | undefined> {
  const outcome = await broadcaster.outcome(txHash)
  if (outcome.type === 'confirmed') return 'solid'
  if (outcome.type === 'failed') return 'failed'
  return outcome.through.at >= expiresAt ? 'expired' : undefined
}

/** Alerts before the write, so that a crash between the two repeats the alert instead of losing it. */
async function end(
  { sweeps, raiseAlert, now }: SettleSweepPorts,
  { claim, transfer }: ClaimedSweep,
  status: EndedSweepStatus,
): Promise<EndedSweepStatus | 'stale'> {
  const { id: subject, txHash } = transfer
  const about = `batch ${transfer.batchId}, address ${transfer.address}, transaction ${txHash}`
  if (status === 'failed') {
    const detail = `${about}: the transfer is in a solid block and moved nothing`
    raiseAlert({ code: 'SWEEP_FAILED', tenantId: null, subject, detail })
  }
  if (status === 'expired') {
    const why = transfer.signature === null ? 'it was never signed' : (transfer.problem ?? 'unsent')
    const detail = `${about}: no solid block has it (${why}); plan another sweep`
    raiseAlert({ code: 'SWEEP_EXPIRED', tenantId: null, subject, detail })
  }
  const result = await sweeps.settle(claim, status, now())
  return result === 'committed' ? status : 'stale'
}

function alertUnsent(raiseAlert: RaiseAlert, transfer: SweepTransfer, { problem }: SweepAttempt): void {
  if (problem === null || problem === transfer.problem) return
  const detail = `batch ${transfer.batchId}, address ${transfer.address}: the signed transfer is not sent: ${problem}`
  raiseAlert({ code: 'SWEEP_UNSENT', tenantId: null, subject: transfer.id, detail })
}

/** Sends the signed bytes if the address can pay for them. */
async function send(
  { chain, broadcaster, now }: SettleSweepPorts,
  { transfer, treasury }: ClaimedSweep,
): Promise<SweepAttempt> {
  const signed = signedOf(chain, transfer)
  if (!signed || now() >= transfer.expiresAt) return transfer
  const { sentAt } = transfer
  const cost = await chain.cost(transfer.account, treasury, transfer.amount)
  // Once it is in a block of the head, a second transfer of the balance reverts.
  if (!cost) return { sentAt, problem: sentAt ? null : 'TRANSFER_REVERTS' }
  if (cost.energyFee > transfer.feeLimit) return { sentAt, problem: 'FEE_LIMIT_TOO_LOW' }
  if (cost.trxMissing > 0n) return { sentAt, problem: 'TRX_MISSING' }
  const answer = await broadcaster.broadcast(signed)
  // A node may remember the id of a transfer that it has refused.
  const isRefused = transfer.problem === 'NODE_REFUSES' && answer === 'duplicate'
  return answer === 'stopped' || isRefused
    ? { sentAt, problem: 'NODE_REFUSES' }
    : { sentAt: sentAt ?? now(), problem: null }
}

/** @throws Error when the stored signature is not that of the address's key: the row was changed */
function signedOf(chain: Pick<SweepChain, 'join'>, transfer: SweepTransfer): SignedTransfer | undefined {
  if (transfer.signature === null) return undefined
  const signed = chain.join(transfer, transfer.account, transfer.signature)
  if (!signed) throw new Error(`the signature of sweep ${transfer.id} does not match its address`)
  return signed
}

/** When a worker looks whether a planned transfer was signed and sent elsewhere. */
export const plannedLookSeconds = 600
const delaysSeconds = [2, 5, 10, 30]

/** Seconds to wait before the next claim of a live transfer; once a node accepted it, what a block takes to be solid. */
const sweepDelaySeconds = (
  { status }: Pick<SweepTransfer, 'status'>,
  claimCount: number,
  sentAt: Date | null,
): number => {
  if (status === 'planned') return plannedLookSeconds
  return sentAt === null ? (delaysSeconds[claimCount - 1] ?? 60) : 60
}
