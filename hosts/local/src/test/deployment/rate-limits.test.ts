import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openPayoutHarness } from '../harness/payout-harness.fixture.ts'
import type { ApiUrls } from '../harness/programs.fixture.ts'
import { operatorToken, type Tenant } from '../harness/tenant.fixture.ts'

const perSecond = 20
/** A client that stays this much below the limit is never refused. @source docs/decisions/rate-limits.md */
const tolerance = perSecond / 5

/** The answers to a tenant while it sent as many requests as the processes answer. */
type Answers = { allowed: number; refused: number; seconds: number }

/** Reads through these processes for some seconds and until one has refused, four requests at a time each. */
async function readFor(seconds: number, tenants: readonly Tenant[]): Promise<Answers> {
  const answers: Answers = { allowed: 0, refused: 0, seconds: 0 }
  const startedAt = performance.now()
  const elapsed = (): number => (performance.now() - startedAt) / 1_000
  const one = async (tenant: Tenant): Promise<void> => {
    while (elapsed() < seconds || answers.refused === 0) {
      const { status, headers } = await tenant.get('/v1/payouts')
      expect(headers.get('ratelimit-policy')).toBe(`"reads";q=${perSecond};w=1`)
      const [, remaining = ''] = /^"reads";r=(\d+);t=\d$/.exec(headers.get('ratelimit') ?? '') ?? []
      if (status === 200) answers.allowed++
      else {
        expect([status, remaining]).toEqual([429, '0'])
        expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
        answers.refused++
        await pause(10)
      }
    }
  }
  const clients = tenants.flatMap((tenant) => Array.from({ length: 4 }, () => one(tenant)))
  await Promise.all(clients)
  return { ...answers, seconds: elapsed() }
}

/** The requests that must be allowed in these seconds: less only if the clients were so slow that they sent less. */
const leastOf = ({ allowed, refused }: Answers, seconds: number): number =>
  Math.min(allowed + refused, (perSecond - tolerance) * seconds)

const ofProcess = /^quipu_(?:http|rate|clock|database|network|loop)_/

/** Metrics of the whole installation, as one process reports them. */
async function figuresOf({ operatorUrl }: ApiUrls): Promise<string[]> {
  const headers = { authorization: `Bearer ${operatorToken}` }
  const text = await (await fetch(`${operatorUrl}/metrics`, { headers })).text()
  const gauges = [...text.matchAll(/^# TYPE (quipu_\S+) gauge$/gm)].map(([, name = '']) => name)
  const shared = gauges.filter((name) => !ofProcess.test(name) && !name.endsWith('_seconds'))
  return text.split('\n').filter((line) => shared.some((name) => /^[ {]/.test(line.replace(name, ''))))
}

test('two API processes allow the limit together and report the same figures; one that is left allows all of it', async () => {
  await using harness = await openPayoutHarness()
  const limits = { RATE_LIMIT_READS: String(perSecond) }
  const [one, two] = [await harness.startApi(limits), await harness.startApi(limits)]
  const both = await readFor(4, [one, two])
  // The allowance that was whole at first counts too, and the one that the second process gives until both have exchanged.
  expect(both.allowed).toBeLessThanOrEqual(perSecond * (both.seconds + 2))
  expect(both.allowed).toBeGreaterThanOrEqual(leastOf(both, both.seconds))
  // The gauges of the installation, but for ages, which differ by the time between two questions.
  expect((await figuresOf(one)).length).toBeGreaterThan(10)
  // Each process reads them by itself, at most every few seconds.
  const equal = async () => (await figuresOf(two)).join('\n') === (await figuresOf(one)).join('\n')
  await expect.poll(equal).toBe(true)
  await one.kill()
  const left = await readFor(3, [two])
  expect(left.allowed).toBeLessThanOrEqual(perSecond * (left.seconds + 1) + tolerance)
  expect(left.allowed).toBeGreaterThanOrEqual(leastOf(left, left.seconds - 1))
})
