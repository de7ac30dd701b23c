import { type Usdt, usdt } from '../money.ts'
import type { FaucetLimits, FaucetUse } from './faucet.ts'
import type { FaucetLimitCheck } from './ports.ts'

/**
 * Checks a request of this amount against every limit but the one per request.
 *
 * Uses count while they are younger than the window. A refusal names the limit that blocks longest, and after how many
 * whole seconds the same request passes if nothing else is accepted meanwhile. A request that never fits waits for a
 * whole window.
 *
 * `remainingToday` is what the tenant can still request after this request: the smaller of the remaining amount, and
 * the remaining number of requests at their maximum amount. Limits shared with other tenants are not part of it.
 *
 * @source spec §8; which code is answered when several limits refuse is assumed
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
    const spacedAt = Math.max(...tenant.map(({ at }) => at.getTime() + limits.spacingSeconds * 1000), window.now)
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

/** The instant of the check, and how long a use counts; both in milliseconds. */
type Window = { readonly now: number; readonly ms: number }

const amountOf = ({ amount }: FaucetUse): bigint => amount.minor
const endOf = ({ at }: FaucetUse, window: Window): number => at.getTime() + window.ms
const total = (uses: readonly FaucetUse[], weigh: (use: FaucetUse) => bigint): bigint =>
  uses.reduce((sum, use) => sum + weigh(use), 0n)

/**
 * The first instant at which the sum of the uses that still count is at most `capacity`; not after the window's `now`
 * when it is already.
 */
function firstFit(
  uses: readonly FaucetUse[],
  window: Window,
  capacity: bigint,
  weigh: (use: FaucetUse) => bigint,
): number {
  if (capacity < 0n) return window.now + window.ms
  let excess = total(uses, weigh) - capacity
  let at = window.now
  // Uses that no longer count are the first to be taken off, at instants that have passed.
  for (const use of uses.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    if (excess <= 0n) break
    excess -= weigh(use)
    at = endOf(use, window)
  }
  return at
}
