import { describe, expect, test } from 'vitest'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import {
  faucetDesk,
  onlyOneIsSent,
  type Point,
  unheard,
} from '../../fixtures/faucet/faucet-harness.ts'

export function dyingContract(open: OpenHarness): void {
  describe('a process that dies', () => {
    const world = useWorld(open, 'each')
    const moments = (...points: Point[]) =>
      points.flatMap((point) => [[point, 'before'] as const, [point, 'after'] as const])

    const requests = moments(
      ...(['faucet.find', 'addresses.match', 'faucet.usage', 'broadcaster.prepare'] as const),
      ...(['reader.head', 'signer.sign', 'faucet.commit', 'broadcaster.broadcast'] as const),
    )

    test.each(requests)(
      'at %s (%s): the same request again sends once in all',
      async (point, when) => {
        const desk = await faucetDesk(world())
        const { ask, request, chain, kill, finish, step, now } = desk
        kill(point, when)
        await ask(request()).catch(() => undefined)
        await step(1)
        expect(await ask(request())).toMatchObject({ type: 'send' })
        await finish()
        expect(await now()).toMatchObject({ status: 'confirmed' })
        expect(chain.received(request().account)).toBe(25_000_000n)
        onlyOneIsSent(desk)
      },
    )

    test.each(requests)(
      'at %s (%s), and nobody asks again: what was stored is sent, and nothing else',
      async (point, when) => {
        const { ask, request, chain, kill, finish, now } = await faucetDesk(world())
        kill(point, when)
        await ask(request()).catch(() => undefined)
        const isStored = (await now()) !== undefined
        const stored = ['faucet.commit after', 'broadcaster.broadcast before']
        expect(isStored).toBe(
          [...stored, 'broadcaster.broadcast after'].includes(`${point} ${when}`),
        )
        await finish()
        expect((await now())?.status).toBe(isStored ? 'confirmed' : undefined)
        expect(chain.received(request().account)).toBe(isStored ? 25_000_000n : 0n)
      },
    )

    test.each(
      moments(
        ...(['broadcaster.outcome', 'broadcaster.broadcast'] as const),
        ...(['faucet.claimDue', 'faucet.yieldClaim', 'faucet.settle'] as const),
      ),
    )('at %s (%s) as a worker: the next one finishes', async (point, when) => {
      const desk = await unheard(await faucetDesk(world()))
      const { request, chain, kill, finish, now } = desk
      kill(point, when)
      await finish()
      expect(await now()).toMatchObject({ status: 'confirmed' })
      expect(chain.received(request().account)).toBe(25_000_000n)
      onlyOneIsSent(desk)
    })
  })
}
