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
  describe('a crash', () => {
    const w = useWorld(open, 'each')
    const moments = (...points: CrashPoint[]) =>
      points.flatMap((point) => [[point, 'before'] as const, [point, 'after'] as const])

    const requests = moments(
      ...(['faucet.find', 'addresses.match', 'faucet.usage', 'broadcaster.prepare'] as const),
      ...(['reader.head', 'signer.sign', 'faucet.commit', 'broadcaster.broadcast'] as const),
    )

    test.each(requests)('at %s (%s): a retry of the request sends once in total', async (point, when) => {
      const harness = await faucetHarness(w)
      const { submit, newRequest, chain, crashAt, runUntilSettled, step, currentSend } = harness
      crashAt(point, when)
      await submit(newRequest()).catch(() => undefined)
      await step(1)
      expect(await submit(newRequest())).toMatchObject({ type: 'send' })
      await runUntilSettled()
      expect(await currentSend()).toMatchObject({ status: 'confirmed' })
      expect(chain.received(newRequest().account)).toBe(25_000_000n)
      expectOneTransfer(harness)
    })

    test.each(requests)('at %s (%s), without a retry: exactly a stored send is sent', async (point, when) => {
      const { submit, newRequest, chain, crashAt, runUntilSettled, currentSend } = await faucetHarness(w)
      crashAt(point, when)
      await submit(newRequest()).catch(() => undefined)
      const isStored = (await currentSend()) !== undefined
      const stored = ['faucet.commit after', 'broadcaster.broadcast before']
      expect(isStored).toBe([...stored, 'broadcaster.broadcast after'].includes(`${point} ${when}`))
      await runUntilSettled()
      expect((await currentSend())?.status).toBe(isStored ? 'confirmed' : undefined)
      expect(chain.received(newRequest().account)).toBe(isStored ? 25_000_000n : 0n)
    })

    test.each(
      moments(
        ...(['broadcaster.outcome', 'broadcaster.broadcast'] as const),
        ...(['faucet.claimDue', 'faucet.yieldClaim', 'faucet.settle'] as const),
      ),
    )('at %s (%s) in a worker: the next worker continues', async (point, when) => {
      const harness = await withLostBroadcast(await faucetHarness(w))
      const { newRequest, chain, crashAt, runUntilSettled, currentSend } = harness
      crashAt(point, when)
      await runUntilSettled()
      expect(await currentSend()).toMatchObject({ status: 'confirmed' })
      expect(chain.received(newRequest().account)).toBe(25_000_000n)
      expectOneTransfer(harness)
    })
  })
}
