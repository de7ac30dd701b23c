import { describe, expect, test } from 'vitest'
import { sendDelaySeconds } from '@quipu/core/adapter'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { newGate } from '../../fixtures/gate.ts'
import {
  faucetHarness,
  type FaucetHarness,
  noAnswer,
  expectOneTransfer,
  withLostBroadcast,
} from '../../fixtures/faucet/faucet-harness.ts'
import { usageSums, plainSend } from '../../fixtures/faucet/sends.ts'

type Needed = 'tenants' | 'addresses' | 'faucet'

export function settleFaucetSendTests(open: OpenHarness<Needed>): void {
  describe('a send', () => {
    const w = useWorld(open, 'each')

    test('is confirmed when a solid block contains it, and not before', async () => {
      const { acceptedSend, newRequest, chain, runWorker, step, currentSend } = await faucetHarness(w)
      const send = await acceptedSend(newRequest())
      for (let poll = 0; poll < 5; poll++) {
        await step(10)
        await runWorker()
        expect(await currentSend()).toMatchObject({ status: 'submitted' })
      }
      expect(chain.received(newRequest().account)).toBe(25_000_000n) // The head contains it already.
      await step(120)
      expect(await runWorker()).toMatchObject([{ id: send.id, status: 'confirmed' }])
      expect(plainSend(await currentSend())).toEqual(plainSend({ ...send, status: 'confirmed' }))
      expect(await runWorker()).toEqual([])
    })

    test.each<[string, (harness: FaucetHarness) => FaucetHarness['chain']['accept']]>([
      ['gets no answer', () => noAnswer],
      ['throws a bug', () => () => Promise.reject(new TypeError('a bug'))],
      ['is stopped', () => async () => 'stopped'],
      [
        'loses its answer',
        ({ chain }) =>
          async (transfer) => {
            chain.include(transfer)
            return noAnswer()
          },
      ],
    ])('whose broadcast %s is answered as submitted, and is transferred once', async (_, take) => {
      const harness = await faucetHarness(w)
      const { submit, newRequest, chain, runUntilSettled, currentSend } = harness
      const usual = chain.accept
      chain.accept = take(harness)
      const answer = await submit(newRequest())
      expect(answer).toMatchObject({ type: 'send', replayed: false, send: { status: 'submitted' } })
      expect(chain.broadcasts).toHaveLength(1)
      chain.accept = usual
      expect(await submit(newRequest())).toMatchObject({ type: 'send', replayed: true })
      expect(chain.broadcasts).toHaveLength(1)
      await runUntilSettled()
      expect(await currentSend()).toMatchObject({ status: 'confirmed' })
      expect(chain.received(newRequest().account)).toBe(25_000_000n)
      expectOneTransfer(harness)
    })

    test('whose broadcast hangs is answered after 5 seconds', async () => {
      const { submit, newRequest, chain, step, currentSend } = await faucetHarness(w)
      const gate = newGate()
      chain.accept = () => gate.pass().then(() => 'accepted' as const)
      let answered = false
      const asking = submit(newRequest()).finally(() => (answered = true))
      await gate.reached
      await step(4)
      expect(answered).toBe(false)
      await step(1)
      expect(await asking).toMatchObject({ type: 'send', replayed: false })
      expect(await currentSend()).toMatchObject({ status: 'submitted' })
      gate.open()
    })

    test('that no node has received is broadcast again, byte for byte, and not signed again', async () => {
      const harness = await withLostBroadcast(await faucetHarness(w))
      const { chain, runUntilSettled, newRequest, currentSend } = harness
      await runUntilSettled()
      expect(chain.broadcasts.length).toBeGreaterThan(1)
      expectOneTransfer(harness)
      expect(chain.orders).toHaveLength(1)
      expect(await currentSend()).toMatchObject({ status: 'confirmed' })
      expect(chain.received(newRequest().account)).toBe(25_000_000n)
    })

    test('that a fork removed is broadcast again and included again', async () => {
      const harness = await faucetHarness(w)
      const { acceptedSend, newRequest, chain, step, runUntilSettled, currentSend } = harness
      const { transfer } = await acceptedSend(newRequest())
      await step(10)
      chain.forkOut(transfer.txHash)
      await runUntilSettled()
      expect(await currentSend()).toMatchObject({ status: 'confirmed' })
      expect(chain.received(newRequest().account)).toBe(25_000_000n)
      expectOneTransfer(harness)
    })

    test('that reverted in a solid block has failed and no longer counts towards the limits', async () => {
      const { tenantId, acceptedSend, newRequest, chain, runUntilSettled, currentSend } = await faucetHarness(w)
      chain.reverts = true
      await acceptedSend(newRequest())
      await runUntilSettled()
      expect(await currentSend()).toMatchObject({ status: 'failed' })
      chain.reverts = false
      await acceptedSend(newRequest({ key: 'attempt-2' }))
      const counted = { tenant: 25_000_000n, requests: 2, address: 25_000_000n }
      expect(await usageSums(w, tenantId)).toMatchObject(counted)
    })

    test('that is included in the last possible block is confirmed', async () => {
      const { acceptedSend, newRequest, chain, step, runUntilSettled, currentSend } = await faucetHarness(w)
      const { accept } = chain
      chain.accept = noAnswer
      const { transfer } = await acceptedSend(newRequest())
      while (chain.head('head').at.getTime() + 3_000 < transfer.expiresAt.getTime()) await step(1)
      chain.include(transfer)
      chain.accept = accept
      await step(10)
      expect(chain.head('head').at > transfer.expiresAt).toBe(true)
      await runUntilSettled()
      expect(await currentSend()).toMatchObject({ status: 'confirmed' })
    })

    test('waits during an outage of the chain of any length', async () => {
      const { acceptedSend, newRequest, ports, chain, step, runUntilSettled, currentSend } = await faucetHarness(w)
      await acceptedSend(newRequest())
      const { outcome } = ports.broadcaster
      ports.broadcaster.outcome = noAnswer
      await runUntilSettled()
      await step(86_400)
      await runUntilSettled()
      expect(await currentSend()).toMatchObject({ status: 'submitted' })
      ports.broadcaster.outcome = outcome
      await runUntilSettled()
      expect(await currentSend()).toMatchObject({ status: 'confirmed' })
      expect(chain.broadcasts).toHaveLength(1)
    })

    test('is checked 15 s after it was accepted, then after 2, 5, 10 and 30 s, then every minute', async () => {
      const { acceptedSend, newRequest, ports, step, runWorker } = await faucetHarness(w)
      await acceptedSend(newRequest())
      const checkedAt: number[] = []
      let second = 0
      ports.broadcaster.outcome = async () => {
        checkedAt.push(second)
        return noAnswer()
      }
      for (second = 1; second <= 200; second++) {
        await step(1)
        await runWorker()
      }
      expect(checkedAt).toEqual([15, 17, 22, 32, 62, 122, 182])
      expect([1, 2, 3, 4, 5, 6, 1_000].map(sendDelaySeconds)).toEqual([2, 5, 10, 30, 60, 60, 60])
    })
  })
}
