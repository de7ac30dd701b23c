import { describe, expect, test } from 'vitest'
import { defaultResumeSettings, type NetworkAnswer, probeDelaySeconds, usdt } from '@quipu/core'
import { type QuotedTenant, quotedTenant } from '../../fixtures/payout/quoted-tenant.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'

type Needed = 'payouts' | 'quotes' | 'wallets' | 'tenants' | 'events'

const { catchUpPerSecond } = defaultResumeSettings
const silence: NetworkAnswer = { type: 'unknown', reason: 'timeout' }

/** Proves when workers ask a network that answers again after an outage. */
export function networkOutageContract(name: string, open: OpenHarness<Needed>): void {
  describe(`a network outage on ${name}`, () => {
    const world = useWorld(open, 'each')

    const begin = () => quotedTenant(world(), usdt(1_000_000_000n))

    /** Opens payouts that the network answers `inTime`, and enters `inBooks` into its books. */
    async function openPayouts(
      { tenant, network, create, request }: QuotedTenant,
      count: number,
      inBooks: NetworkAnswer['type'] & ('paid' | 'late'),
      inTime: NetworkAnswer = silence,
    ): Promise<readonly string[]> {
      const ids: string[] = []
      network.answer = async ({ reference, amount }) => {
        ids.push(reference)
        network.record(
          reference,
          inBooks === 'late' ? { type: 'late' } : { type: 'paid', amount, paymentId: 'p' },
        )
        return inTime
      }
      for (let opened = 0; opened < count; opened++)
        await create(tenant, request(await world().newQuote(tenant.id)))
      return ids
    }

    /** Steps so many seconds with some workers, and counts the questions of each second. */
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

    /** The network answers nothing about these payouts, or about any, until the returned function is called. */
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
      'two minutes without an answer, then one: %i workers ask about the others a few a second',
      async (workers) => {
        const tools = await begin()
        const ids = await openPayouts(tools, 20, 'paid')
        const answerAgain = silent(tools)
        await run(tools, 120, workers)
        answerAgain()
        const seconds =
          Math.ceil(probeDelaySeconds(130)) + Math.ceil(ids.length / catchUpPerSecond) + 1
        const counts = await run(tools, seconds, workers)
        for (const id of ids)
          expect(await world().payouts.get(tools.tenant.id, id)).toMatchObject({
            status: 'completed',
          })
        expect(Math.max(...counts)).toBeLessThanOrEqual(catchUpPerSecond + 1)
        expect(sum(counts)).toBe(ids.length)
      },
    )

    test('during an outage workers ask about one payout every few seconds, and about the others by their schedule', async () => {
      const tools = await begin()
      const ids = await openPayouts(tools, 20, 'paid')
      silent(tools)
      await run(tools, 61)
      const counts = await run(tools, 600)
      const bySchedule = ids.length * 2
      expect(sum(counts)).toBeLessThanOrEqual(bySchedule + 600 / probeDelaySeconds(0))
      const asked = counts.flatMap((count, second) => (count > 0 ? [second] : []))
      for (const [i, second] of asked.entries())
        expect(second - (asked[i - 1] ?? 0)).toBeLessThan(probeDelaySeconds(61 + second) + 2)
    })

    test('a payout that waits for its own answer keeps its schedule when others are answered', async () => {
      const tools = await begin()
      const [late] = await openPayouts(tools, 1, 'late', { type: 'late' })
      const asked: number[] = []
      for (let second = 1; second <= 400; second++) {
        if (second % 40 === 0) await openPayouts(tools, 1, 'paid')
        const before = tools.network.statusCalls.length
        await run(tools, 1)
        if (tools.network.statusCalls.slice(before).includes(late ?? '')) asked.push(second)
      }
      expect(asked).toEqual([2, 5, 10, 30, 60, 360])
    })

    test('a payout that the network alone does not answer about is asked about less and less', async () => {
      const tools = await begin()
      const alone = await openPayouts(tools, 1, 'paid')
      silent(tools, alone)
      const asked: number[] = []
      for (let second = 1; second <= 2_000; second++) {
        if (second % 2 === 0) await openPayouts(tools, 1, 'paid')
        const before = tools.network.statusCalls.length
        await run(tools, 1)
        if (tools.network.statusCalls.slice(before).includes(alone[0] ?? '')) asked.push(second)
      }
      const gaps = asked.map((at, i) => at - (asked[i - 1] ?? 0))
      expect(asked.length).toBeLessThan(100)
      expect(gaps.slice(-10).every((gap) => gap >= 60)).toBe(true)
    })

    test('a network that is silent again in the middle is not asked faster, and all ends when it answers', async () => {
      const tools = await begin()
      const ids = await openPayouts(tools, 20, 'paid')
      let answerAgain = silent(tools)
      await run(tools, 120)
      for (let outage = 0; outage < 3; outage++) {
        answerAgain()
        const answering = await run(tools, Math.ceil(probeDelaySeconds(250)) + 1)
        answerAgain = silent(tools)
        const silenced = await run(tools, 30)
        expect(Math.max(...answering, ...silenced)).toBeLessThanOrEqual(catchUpPerSecond + 1)
      }
      answerAgain()
      await run(tools, 30)
      for (const id of ids)
        expect(await world().payouts.get(tools.tenant.id, id)).toMatchObject({
          status: 'completed',
        })
    })

    test('what the network says is still late after an outage is asked about by the schedule from its start', async () => {
      const tools = await begin()
      await openPayouts(tools, 1, 'late')
      const answerAgain = silent(tools)
      await run(tools, 120)
      answerAgain()
      const counts = await run(tools, 65)
      const asked = counts.flatMap((count, second) => (count > 0 ? [second] : []))
      const first = asked[0] ?? Infinity
      expect(first).toBeLessThanOrEqual(probeDelaySeconds(130))
      expect(asked.map((second) => second - first)).toEqual([0, 3, 8, 28, 58])
    })
  })
}
