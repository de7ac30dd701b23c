import { type Usdt, usdt } from '../money.ts'
import type { FaucetLimits, FaucetUse } from './faucet.ts'
import type { FaucetLimitCheck } from './ports.ts'

/**
 * Judges a request of this amount by every limit but the one per request.
 *
 * What was accepted counts for as long as it is younger than the window. A refusal names the limit
 * that gives way last and says when: after the fewest whole seconds at which the same request
 * passes, if nothing else is accepted meanwhile. A request that no window will ever have room for
 * is put off by a whole one.
 *
 * `remainingToday` is what the tenant can still request after this request: the least of what its
 * amount leaves and what its number of requests leaves, each request at its own maximum. The limits
 * that it shares with others do not count.
 *
 * @source spec §8; which code is told when several limits refuse is assumed
 */
export const checkFaucetLimits =
  (limits: FaucetLimits, amount: Usdt): FaucetLimitCheck =>
  ({ tenant, address, shared }, now) => {
    const window = { now: now.getTime(), ms: limits.windowSeconds * 1000 }
    const freeAt = Math.max(
      firstFit(tenant, window, BigInt(limits.requestsPerTenant) - 1n, () => 1n),
      firstFit(tenant, window, limits.perTenant.minor - amount.minor, amountOf),
      firstFit(address, window, limits.perAddress.minor - amount.minor, amountOf),
      firstFit(shared, window, limits.shared.minor - amount.minor, amountOf),
    )
    const spacedAt = Math.max(
      ...tenant.map(({ at }) => at.getTime() + limits.spacingSeconds * 1000),
      window.now,
    )
    const passesAt = Math.max(freeAt, spacedAt)
    if (passesAt > window.now) {
      return {
        code: freeAt < spacedAt ? 'FAUCET_TOO_SOON' : 'FAUCET_LIMIT_EXCEEDED',
        retryAfterSeconds: Math.ceil((passesAt - window.now) / 1000),
      }
    }
    const counted = tenant.filter((use) => endOf(use, window) > window.now)
    const inAmount = limits.perTenant.minor - total(counted, amountOf) - amount.minor
    const requestsLeft = BigInt(limits.requestsPerTenant - counted.length - 1)
    const inRequests = requestsLeft * limits.perRequest.minor
    return { remainingToday: usdt(inAmount < inRequests ? inAmount : inRequests) }
  }

/** The instant of judging, and how long a use counts; both in milliseconds. */
type Window = { readonly now: number; readonly ms: number }

const amountOf = ({ amount }: FaucetUse): bigint => amount.minor
const endOf = ({ at }: FaucetUse, window: Window): number => at.getTime() + window.ms
const total = (uses: readonly FaucetUse[], weigh: (use: FaucetUse) => bigint): bigint =>
  uses.reduce((sum, use) => sum + weigh(use), 0n)

/** The first instant at which the uses that still count weigh no more than `room`. */
function firstFit(
  uses: readonly FaucetUse[],
  window: Window,
  room: bigint,
  weigh: (use: FaucetUse) => bigint,
): number {
  if (room < 0n) return window.now + window.ms
  const counted = uses.filter((use) => endOf(use, window) > window.now)
  let excess = total(counted, weigh) - room
  let at = window.now
  for (const use of counted.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    if (excess <= 0n) break
    excess -= weigh(use)
    at = endOf(use, window)
  }
  return at
}
