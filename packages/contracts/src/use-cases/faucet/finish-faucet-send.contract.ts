import { describe, expect, test } from 'vitest'
import { sendDelaySeconds, type SignedTransfer } from '@quipu/core'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { gate } from '../../fixtures/payout/payout-harness.ts'
import {
  faucetDesk,
  type FaucetDesk,
  lost,
  onlyOneIsSent,
  unheard,
} from '../../fixtures/faucet/faucet-harness.ts'
import { countedFor, plainSend } from '../../fixtures/faucet/sends.ts'

export function finishingContract(open: OpenHarness): void {
  describe('a send', () => {
    const world = useWorld(open, 'each')

    test('is confirmed once a solid block has it, and not before', async () => {
      const { sent, request, chain, work, step, now } = await faucetDesk(world())
      const send = await sent(request())
      for (let looks = 0; looks < 5; looks++) {
        await step(10)
        await work()
        expect(await now()).toMatchObject({ status: 'submitted' })
      }
      expect(chain.received(request().account)).toBe(25_000_000n) // The head has it by now.
      await step(120)
      expect(await work()).toMatchObject([{ id: send.id, status: 'confirmed' }])
      expect(plainSend(await now())).toEqual(plainSend({ ...send, status: 'confirmed' }))
      expect(await work()).toEqual([])
    })

    test.each<[string, (desk: FaucetDesk) => FaucetDesk['chain']['take']]>([
      ['gets no answer', () => lost],
      ['fails by a bug', () => () => Promise.reject(new TypeError('a bug'))],
      ['is stopped', () => async () => 'stopped'],
      [
        'loses its answer',
        ({ chain }) =>
          async (transfer) => {
            chain.enter(transfer)
            return lost()
          },
      ],
    ])(
      'whose broadcast %s is answered submitted all the same, and arrives once',
      async (_, take) => {
        const desk = await faucetDesk(world())
        const { ask, request, chain, finish, now } = desk
        const usual = chain.take
        chain.take = take(desk)
        const answer = await ask(request())
        expect(answer).toMatchObject({
          type: 'send',
          replayed: false,
          send: { status: 'submitted' },
        })
        expect(chain.broadcasts).toHaveLength(1)
        chain.take = usual
        expect(await ask(request())).toMatchObject({ type: 'send', replayed: true })
        expect(chain.broadcasts).toHaveLength(1)
        await finish()
        expect(await now()).toMatchObject({ status: 'confirmed' })
        expect(chain.received(request().account)).toBe(25_000_000n)
        onlyOneIsSent(desk)
      },
    )

    test('whose broadcast hangs is answered after 5 seconds', async () => {
      const { ask, request, chain, step, now } = await faucetDesk(world())
      const door = gate()
      chain.take = () => door.pass().then(() => 'accepted' as const)
      let answered = false
      const asking = ask(request()).finally(() => (answered = true))
      await door.reached
      await step(4)
      expect(answered).toBe(false)
      await step(1)
      expect(await asking).toMatchObject({ type: 'send', replayed: false })
      expect(await now()).toMatchObject({ status: 'submitted' })
      door.open()
    })

    test('is its request’s while that still broadcasts: no worker comes in between', async () => {
      const { ask, request, chain, step, work } = await faucetDesk(world())
      const door = gate()
      chain.take = () => door.pass().then(() => 'accepted' as const)
      const asking = ask(request(), { broadcastWithinMs: 10_000 })
      await door.reached
      await step(9)
      expect(await work()).toEqual([])
      door.open()
      await asking
    })

    test('that the node never got is broadcast again, byte for byte, and never signed anew', async () => {
      const desk = await unheard(await faucetDesk(world()))
      const { chain, finish, request, now } = desk
      await finish()
      expect(chain.broadcasts.length).toBeGreaterThan(1)
      onlyOneIsSent(desk)
      expect(chain.orders).toHaveLength(1)
      expect(await now()).toMatchObject({ status: 'confirmed' })
      expect(chain.received(request().account)).toBe(25_000_000n)
    })

    test('that a fork took back is broadcast again and gets in again', async () => {
      const desk = await faucetDesk(world())
      const { sent, request, chain, step, finish, now } = desk
      const { transfer } = await sent(request())
      await step(10)
      chain.drop(transfer.txHash)
      await finish()
      expect(await now()).toMatchObject({ status: 'confirmed' })
      expect(chain.received(request().account)).toBe(25_000_000n)
      onlyOneIsSent(desk)
    })

    test('that is in a solid block and moved nothing has failed, and its amount is free again', async () => {
      const w = world()
      const { tenantId, sent, request, chain, finish, now } = await faucetDesk(w)
      chain.reverts = true
      await sent(request())
      await finish()
      expect(await now()).toMatchObject({ status: 'failed' })
      chain.reverts = false
      await sent(request({ key: 'attempt-2' }))
      const counted = { tenant: 25_000_000n, requests: 2, address: 25_000_000n }
      expect(await countedFor(w, tenantId)).toMatchObject(counted)
    })

    test('has failed only when solid blocks have passed its expiry without it, not a moment before', async () => {
      const { sent, request, chain, work, step, now } = await faucetDesk(world())
      chain.take = async () => 'stopped'
      const { transfer } = await sent(request())
      let seconds = 0
      while (chain.head('solid').at < transfer.expiresAt) {
        await work()
        expect(await now()).toMatchObject({ status: 'submitted' })
        await step(1)
        seconds++
      }
      expect(seconds).toBeGreaterThan(60 + 54)
      await step(60)
      await work()
      expect(await now()).toMatchObject({ status: 'failed' })
      expect(chain.orders).toHaveLength(1)
    })

    test('that entered a block at the last moment is confirmed, not failed', async () => {
      const { sent, request, chain, step, finish, now } = await faucetDesk(world())
      const { take } = chain
      chain.take = lost
      const { transfer } = await sent(request())
      while (chain.head('head').at.getTime() + 3_000 < transfer.expiresAt.getTime()) await step(1)
      chain.enter(transfer)
      chain.take = take
      await step(10)
      expect(chain.head('head').at > transfer.expiresAt).toBe(true)
      await finish()
      expect(await now()).toMatchObject({ status: 'confirmed' })
    })

    test('that has expired is broadcast no more', async () => {
      const { sent, request, chain, step, work, now } = await faucetDesk(world())
      chain.take = async () => 'stopped'
      const { transfer } = await sent(request())
      while (chain.head('head').at < transfer.expiresAt) await step(1)
      expect(chain.head('solid').at < transfer.expiresAt).toBe(true)
      expect(await work()).toHaveLength(1)
      expect(chain.broadcasts).toHaveLength(1)
      expect(await now()).toMatchObject({ status: 'submitted' })
    })

    test('waits while the chain cannot be asked, however long', async () => {
      const { sent, request, ports, chain, step, finish, now } = await faucetDesk(world())
      await sent(request())
      const { outcome } = ports.broadcaster
      ports.broadcaster.outcome = lost
      await finish()
      await step(86_400)
      await finish()
      expect(await now()).toMatchObject({ status: 'submitted' })
      ports.broadcaster.outcome = outcome
      await finish()
      expect(await now()).toMatchObject({ status: 'confirmed' })
      expect(chain.broadcasts).toHaveLength(1)
    })

    test('is looked at 15 s after it was accepted, then after 2, 5, 10 and 30 s, then every minute', async () => {
      const { sent, request, ports, step, work } = await faucetDesk(world())
      await sent(request())
      const looks: number[] = []
      let second = 0
      ports.broadcaster.outcome = async () => {
        looks.push(second)
        return lost()
      }
      for (second = 1; second <= 200; second++) {
        await step(1)
        await work()
      }
      expect(looks).toEqual([15, 17, 22, 32, 62, 122, 182])
      expect([1, 2, 3, 4, 5, 6, 1_000].map(sendDelaySeconds)).toEqual([2, 5, 10, 30, 60, 60, 60])
    })

    test('is one worker’s at a time, and whoever lost it tells how it ended', async () => {
      const { sent, request, ports, step, work, now } = await faucetDesk(world())
      await sent(request())
      await step(100)
      const door = gate()
      const { outcome } = ports.broadcaster
      ports.broadcaster.outcome = async (txHash) => {
        ports.broadcaster.outcome = outcome
        const told = await outcome(txHash)
        await door.pass()
        return told
      }
      const slow = work()
      await door.reached
      expect(await work()).toEqual([])
      await step(15)
      expect(await work()).toMatchObject([{ status: 'confirmed' }])
      door.open()
      expect(await slow).toMatchObject([{ status: 'confirmed' }])
      expect(await now()).toMatchObject({ status: 'confirmed' })
    })

    test('that 20 workers look at is ended once', async () => {
      const { sent, request, ports, step, work } = await faucetDesk(world())
      await sent(request())
      await step(100)
      const asked: string[] = []
      const { outcome } = ports.broadcaster
      ports.broadcaster.outcome = (txHash) => {
        asked.push(txHash)
        return outcome(txHash)
      }
      await Promise.all(Array.from({ length: 20 }, () => work()))
      expect(asked).toHaveLength(1)
    })

    test('whose bytes the store gives back is the one that was signed', async () => {
      const { sent, request, chain, step, work } = await unheard(await faucetDesk(world()))
      const [first] = chain.broadcasts
      await step(20)
      await work()
      const plain = (transfer: SignedTransfer | undefined) =>
        transfer && { ...transfer, bytes: [...transfer.bytes] }
      expect(plain(chain.broadcasts[1])).toEqual(plain(first))
      expect((await sent(request())).transfer.txHash).toBe(first?.txHash)
    })
  })
}
