import { describe, expect, test } from 'vitest'
import { defaultResumeSettings, usdt } from '@quipu/core'
import { type NetworkAnswer, probeDelaySeconds } from '@quipu/core/adapter'
import { type QuotedTenant, quotedTenant } from '../../fixtures/payout/quoted-tenant.ts'
import { type PayoutStores, type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { findableKinds } from '../../fixtures/payout/without-cancel.ts'

const { catchUpPerSecond } = defaultResumeSettings
const silence: NetworkAnswer = { type: 'unknown', reason: 'timeout' }

/** Proves when workers call a network during and after an outage. */
export function networkOutageContract(name: string, open: OpenHarness<PayoutStores>): void {
  for (const kind of findableKinds) outageTests(name, open, kind)
}

function outageTests(
  name: string,
  open: OpenHarness<PayoutStores>,
  [kind, capabilities]: (typeof findableKinds)[number],
): void {
  describe(`an outage of a network ${kind} on ${name}`, () => {
    const w = useWorld(open, 'each')

    const begin = () => quotedTenant(w, usdt(1_000_000_000n), capabilities)

    /** Creates payouts that the network records as `inBooks`, and answers with `inTime`. */
    async function openPayouts(
      { tenant, network, create, request }: QuotedTenant,
      count: number,
      inBooks: NetworkAnswer['type'] & ('paid' | 'pending'),
      inTime: NetworkAnswer = silence,
    ): Promise<readonly string[]> {
      const ids: string[] = []
      network.answer = async ({ reference, amount }) => {
        ids.push(reference)
        network.record(
          reference,
          inBooks === 'pending' ? { type: 'pending' } : { type: 'paid', amount, paymentId: 'p' },
        )
        return inTime
      }
      for (let opened = 0; opened < count; opened++) await create(tenant, request(await w.newQuote(tenant.id)))
      return ids
    }

    /** Runs workers second by second. @returns the number of status calls in each second */
    async function run(
      { step, runWorker, network }: QuotedTenant,
      seconds: number,
      workers = 1,
    ): Promise<readonly number[]> {
      const counts: number[] = []
      for (let second = 0; second < seconds; second++) {
        await step(1)
        const before = network.statusCalls.length
        await Promise.all(Array.from({ length: workers }, runWorker))
        counts.push(network.statusCalls.length - before)
      }
      return counts
    }

    /** Makes status calls about these payouts, or about all, fail until the returned function is called. */
    function silent({ network }: QuotedTenant, about?: readonly string[]): () => void {
      const { status } = network
      network.status = async (reference, networkRef) => {
        const answer = await status(reference, networkRef)
        return !about || about.includes(reference) ? silence : answer
      }
      return () => void (network.status = status)
    }

    const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0)

    test.each([1, 4])(
      'after an outage of two minutes %i workers call for the backlog at a limited rate',
      async (workers) => {
        const harness = await begin()
        const ids = await openPayouts(harness, 20, 'paid')
        const answerAgain = silent(harness)
        await run(harness, 120, workers)
        answerAgain()
        const seconds = Math.ceil(probeDelaySeconds(130)) + Math.ceil(ids.length / catchUpPerSecond) + 1
        const counts = await run(harness, seconds, workers)
        for (const id of ids) expect(await w.payouts.get(harness.tenant.id, id)).toMatchObject({ status: 'completed' })
        expect(Math.max(...counts)).toBeLessThanOrEqual(catchUpPerSecond + 1)
        expect(sum(counts)).toBe(ids.length)
      },
    )

    test('during an outage workers probe with one payout, and call for the others by their schedule', async () => {
      const harness = await begin()
      const ids = await openPayouts(harness, 20, 'paid')
      silent(harness)
      await run(harness, 61)
      const counts = await run(harness, 600)
      const bySchedule = ids.length * 2
      expect(sum(counts)).toBeLessThanOrEqual(bySchedule + 600 / probeDelaySeconds(0))
      const calledAt = counts.flatMap((count, second) => (count > 0 ? [second] : []))
      for (const [i, second] of calledAt.entries())
        expect(second - (calledAt[i - 1] ?? 0)).toBeLessThan(probeDelaySeconds(61 + second) + 2)
    })

    test('a late payout keeps its schedule when the network answers about others', async () => {
      const harness = await begin()
      const [late] = await openPayouts(harness, 1, 'pending', { type: 'pending' })
      const calledAt: number[] = []
      for (let second = 1; second <= 400; second++) {
        if (second % 40 === 0) await openPayouts(harness, 1, 'paid')
        const before = harness.network.statusCalls.length
        await run(harness, 1)
        if (harness.network.statusCalls.slice(before).includes(late ?? '')) calledAt.push(second)
      }
      expect(calledAt).toEqual([2, 5, 10, 30, 60, 360])
    })

    test('calls for the only unanswered payout back off', async () => {
      const harness = await begin()
      const alone = await openPayouts(harness, 1, 'paid')
      silent(harness, alone)
      const calledAt: number[] = []
      for (let second = 10; second <= 1_500; second += 10) {
        await openPayouts(harness, 1, 'paid')
        const before = harness.network.statusCalls.length
        await harness.step(9)
        await run(harness, 1)
        if (harness.network.statusCalls.slice(before).includes(alone[0] ?? '')) calledAt.push(second)
      }
      const gaps = calledAt.map((at, i) => at - (calledAt[i - 1] ?? 0))
      expect(calledAt.length).toBeLessThan(100)
      expect(gaps.slice(-3).every((gap) => gap >= 60)).toBe(true)
    })

    test('repeated outages keep the rate limit, and all payouts are settled afterwards', async () => {
      const harness = await begin()
      const ids = await openPayouts(harness, 20, 'paid')
      let answerAgain = silent(harness)
      await run(harness, 120)
      for (let outage = 0; outage < 3; outage++) {
        answerAgain()
        const answering = await run(harness, Math.ceil(probeDelaySeconds(250)) + 1)
        answerAgain = silent(harness)
        const silenced = await run(harness, 30)
        expect(Math.max(...answering, ...silenced)).toBeLessThanOrEqual(catchUpPerSecond + 1)
      }
      answerAgain()
      await run(harness, 30)
      for (const id of ids) expect(await w.payouts.get(harness.tenant.id, id)).toMatchObject({ status: 'completed' })
    })

    test('a payout that is late after an outage restarts its schedule', async () => {
      const harness = await begin()
      await openPayouts(harness, 1, 'pending')
      const answerAgain = silent(harness)
      await run(harness, 120)
      answerAgain()
      const counts = await run(harness, 65)
      const calledAt = counts.flatMap((count, second) => (count > 0 ? [second] : []))
      const first = calledAt[0] ?? Infinity
      expect(first).toBeLessThanOrEqual(probeDelaySeconds(130))
      expect(calledAt.map((second) => second - first)).toEqual([0, 3, 8, 28, 58])
    })
  })
}
