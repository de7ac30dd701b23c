import { describe, expect, test } from 'vitest'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import {
  faucetHarness,
  expectOneTransfer,
  type CrashPoint,
  withLostBroadcast,
} from '../../fixtures/faucet/faucet-harness.ts'

type Needed = 'tenants' | 'addresses' | 'faucet'

export function crashInFaucetTests(open: OpenHarness<Needed>): void {
  describe('a process that dies', () => {
    const world = useWorld(open, 'each')
    const moments = (...points: CrashPoint[]) =>
      points.flatMap((point) => [[point, 'before'] as const, [point, 'after'] as const])

    const requests = moments(
      ...(['faucet.find', 'addresses.match', 'faucet.usage', 'broadcaster.prepare'] as const),
      ...(['reader.head', 'signer.sign', 'faucet.commit', 'broadcaster.broadcast'] as const),
    )

    test.each(requests)(
      'at %s (%s): the same request again sends once in all',
      async (point, when) => {
        const desk = await faucetHarness(world())
        const { submit, newRequest, chain, crashAt, runUntilSettled, step, currentSend } = desk
        crashAt(point, when)
        await submit(newRequest()).catch(() => undefined)
        await step(1)
        expect(await submit(newRequest())).toMatchObject({ type: 'send' })
        await runUntilSettled()
        expect(await currentSend()).toMatchObject({ status: 'confirmed' })
        expect(chain.received(newRequest().account)).toBe(25_000_000n)
        expectOneTransfer(desk)
      },
    )

    test.each(requests)(
      'at %s (%s), and nobody asks again: what was stored is sent, and nothing else',
      async (point, when) => {
        const { submit, newRequest, chain, crashAt, runUntilSettled, currentSend } =
          await faucetHarness(world())
        crashAt(point, when)
        await submit(newRequest()).catch(() => undefined)
        const isStored = (await currentSend()) !== undefined
        const stored = ['faucet.commit after', 'broadcaster.broadcast before']
        expect(isStored).toBe(
          [...stored, 'broadcaster.broadcast after'].includes(`${point} ${when}`),
        )
        await runUntilSettled()
        expect((await currentSend())?.status).toBe(isStored ? 'confirmed' : undefined)
        expect(chain.received(newRequest().account)).toBe(isStored ? 25_000_000n : 0n)
      },
    )

    test.each(
      moments(
        ...(['broadcaster.outcome', 'broadcaster.broadcast'] as const),
        ...(['faucet.claimDue', 'faucet.yieldClaim', 'faucet.settle'] as const),
      ),
    )('at %s (%s) as a worker: the next one finishes', async (point, when) => {
      const desk = await withLostBroadcast(await faucetHarness(world()))
      const { newRequest, chain, crashAt, runUntilSettled, currentSend } = desk
      crashAt(point, when)
      await runUntilSettled()
      expect(await currentSend()).toMatchObject({ status: 'confirmed' })
      expect(chain.received(newRequest().account)).toBe(25_000_000n)
      expectOneTransfer(desk)
    })
  })
}
