import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { usdt } from '../money.ts'
import { defaultFaucetLimits, type FaucetLimits, type FaucetUse } from './faucet.ts'
import { checkFaucetLimits } from './check-faucet-limits.ts'
import type { FaucetLimitCheck } from './ports.ts'

const noon = Date.UTC(2026, 10, 21, 12)
const day = 24 * 3_600_000
const whole = (tokens: number) => usdt(BigInt(tokens) * 1_000_000n)

/** Uses, each with its tokens and its age at noon in milliseconds. */
const uses = (...given: readonly (readonly [tokens: number, agoMs: number])[]): FaucetUse[] =>
  given.map(([tokens, agoMs]) => ({ at: new Date(noon - agoMs), amount: whole(tokens) }))

/** Checks a request at noon, by default one for 100.00 against the default limits. */
const limited = (
  usage: Partial<Parameters<FaucetLimitCheck>[0]>,
  { tokens = 100, limits = {} }: { tokens?: number; limits?: Partial<FaucetLimits> } = {},
) =>
  checkFaucetLimits({ ...defaultFaucetLimits, ...limits }, whole(tokens))(
    { tenant: [], address: [], shared: [], ...usage },
    new Date(noon),
  )

const refused = (retryAfterSeconds: number, code = 'FAUCET_LIMIT_EXCEEDED') => ({ code, retryAfterSeconds })

/** Ten uses of `tokens` each, an hour apart, the oldest one 20 hours ago. */
const ten = (tokens: number) => uses(...Array.from({ length: 10 }, (_, n) => [tokens, (20 - n) * 3_600_000] as const))

describe('the faucet’s limits', () => {
  test('equal the specification’s; the shared total is assumed', () => {
    expect(defaultFaucetLimits).toEqual({
      perRequest: whole(100),
      perTenant: whole(1_000),
      requestsPerTenant: 10,
      perAddress: whole(1_000),
      shared: whole(10_000),
      spacingSeconds: 60,
      windowSeconds: 86_400,
    })
  })

  test('windows roll: a use counts for 24 hours and not a millisecond longer', () => {
    expect(limited({ tenant: uses([1_000, day]) })).toEqual({ remainingToday: whole(900) })
    expect(limited({ tenant: uses([1_000, day - 1]) })).toEqual(refused(1))
  })

  test('a refusal names the limit that blocks longest, and for how long', () => {
    const soon = uses([1, 30_000])
    const shared = (agoMs: number) => uses([10_000, agoMs])
    expect(limited({ tenant: soon, shared: shared(day - 5_000) })).toEqual(refused(30, 'FAUCET_TOO_SOON'))
    expect(limited({ tenant: soon, shared: shared(day - 40_000) })).toEqual(refused(40))
    expect(limited({ tenant: soon, shared: shared(day - 30_000) })).toEqual(refused(30))
    const [, ...later] = ten(1)
    expect(limited({ tenant: [...later, ...soon] })).toEqual(refused(5 * 3_600))
  })

  test('a request that never fits waits for a whole window', () => {
    expect(limited({}, { limits: { shared: whole(99) } })).toEqual(refused(86_400))
  })

  test('a use with an instant in the future counts from that instant on', () => {
    expect(limited({ shared: uses([10_000, -30_000]) })).toEqual(refused(86_430))
    expect(limited({ tenant: uses([1, -30_000]) })).toEqual(refused(90, 'FAUCET_TOO_SOON'))
  })
})

describe('any sequence of requests', () => {
  const limits: FaucetLimits = {
    perRequest: usdt(10n),
    perTenant: usdt(24n),
    requestsPerTenant: 4,
    perAddress: usdt(30n),
    shared: usdt(45n),
    spacingSeconds: 8,
    windowSeconds: 100,
  }
  const windowMs = limits.windowSeconds * 1000

  type Request = { readonly tenant: number; readonly address: number; readonly amount: bigint }
  type Accepted = Request & { readonly at: number; failed: boolean }

  const anyStep = fc.record({
    tenant: fc.nat(2),
    address: fc.nat(2),
    amount: fc.bigInt({ min: 1n, max: 10n }),
    waitMs: fc.oneof(fc.nat(20_000), fc.constantFrom(0, 1, 999, 1000, 8_000, 100_000)),
    /** The index of the accepted send that fails before this request, if it exists. */
    fails: fc.option(fc.nat(30), { freq: 4 }),
  })

  const sum = (all: readonly Accepted[]) =>
    all.reduce((total, { amount, failed }) => total + (failed ? 0n : amount), 0n)

  /** The rules, implemented a second time from the specification. */
  function allows(history: readonly Accepted[], { tenant, address, amount }: Request, now: number) {
    const recent = history.filter(({ at }) => now - at < windowMs)
    const mine = recent.filter((each) => each.tenant === tenant)
    return (
      mine.every(({ at }) => now - at >= limits.spacingSeconds * 1000) &&
      mine.length < limits.requestsPerTenant &&
      sum(mine) + amount <= limits.perTenant.minor &&
      sum(recent.filter((each) => each.address === address)) + amount <= limits.perAddress.minor &&
      sum(recent) + amount <= limits.shared.minor
    )
  }

  function usageOf(history: readonly Accepted[], { tenant, address }: Request, now: number) {
    const recent = history.filter(({ at }) => now - at < windowMs)
    const useOf = ({ at, amount, failed }: Accepted): FaucetUse => ({
      at: new Date(at),
      amount: usdt(failed ? 0n : amount),
    })
    return {
      tenant: recent.filter((each) => each.tenant === tenant).map(useOf),
      address: recent.filter((each) => each.address === address).map(useOf),
      shared: recent.map(useOf),
    }
  }

  test('none is accepted above a limit, none is refused within all limits, and Retry-After is exact', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 1, maxLength: 40 }), (steps) => {
        const history: Accepted[] = []
        let now = noon
        for (const { waitMs, fails, ...request } of steps) {
          now += waitMs
          const failing = fails === null ? undefined : history[fails]
          if (failing) failing.failed = true
          const usage = usageOf(history, request, now)
          const decision = checkFaucetLimits(limits, usdt(request.amount))(usage, new Date(now))
          expect('remainingToday' in decision).toBe(allows(history, request, now))
          if ('code' in decision) {
            const seconds = decision.retryAfterSeconds
            expect(seconds).toBeGreaterThanOrEqual(1)
            expect(allows(history, request, now + seconds * 1000)).toBe(true)
            expect(allows(history, request, now + (seconds - 1) * 1000)).toBe(false)
            continue
          }
          history.push({ ...request, at: now, failed: false })
          const mine = usageOf(history, request, now).tenant
          const left = limits.perTenant.minor - mine.reduce((all, use) => all + use.amount.minor, 0n)
          const requestsLeft = BigInt(limits.requestsPerTenant - mine.length)
          const inRequests = requestsLeft * limits.perRequest.minor
          expect(decision.remainingToday).toEqual(usdt(left < inRequests ? left : inRequests))
        }
      }),
    )
  })
})
