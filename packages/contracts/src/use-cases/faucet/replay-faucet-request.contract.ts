import { describe, expect, test } from 'vitest'
import { type FaucetAnswer, usdt } from '@quipu/core'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { faucetHarness } from '../../fixtures/faucet/faucet-harness.ts'
import { plainSend } from '../../fixtures/faucet/sends.ts'

type Needed = 'tenants' | 'addresses' | 'faucet'

const plain = (answer: FaucetAnswer) => (answer.type === 'send' ? { ...answer, send: plainSend(answer.send) } : answer)
const replayOf = (answer: FaucetAnswer) => ({ ...plain(answer), replayed: true })

export function replayFaucetRequestTests(open: OpenHarness<Needed>): void {
  describe('a key that was used', () => {
    const w = useWorld(open, 'each')

    test('replays the first answer and sends nothing, whatever the status of the send', async () => {
      const { submit, newRequest, chain, step, runUntilSettled, currentSend } = await faucetHarness(w)
      const first = await submit(newRequest())
      expect(plain(await submit(newRequest()))).toEqual(replayOf(first))
      expect(chain.broadcasts).toHaveLength(1)
      await runUntilSettled()
      expect(await currentSend()).toMatchObject({ status: 'confirmed' })
      const signed = chain.orders.length
      expect(plain(await submit(newRequest()))).toEqual(replayOf(first))
      await step(30 * 86_400)
      expect(plain(await submit(newRequest()))).toEqual(replayOf(first))
      expect(chain.orders).toHaveLength(signed)
      expect(chain.received(newRequest().account)).toBe(25_000_000n)
    })

    test('replays `submitted` for a failed send, and sends nothing', async () => {
      const { submit, newRequest, chain, runUntilSettled, currentSend } = await faucetHarness(w)
      chain.reverts = true
      const first = await submit(newRequest())
      await runUntilSettled()
      expect(await currentSend()).toMatchObject({ status: 'failed' })
      expect(plain(await submit(newRequest()))).toEqual(replayOf(first))
      expect(chain.orders).toHaveLength(1)
      expect(chain.received(newRequest().account)).toBe(0n)
    })

    test('with another body is refused, and still replays its first answer', async () => {
      const { submit, newRequest, chain } = await faucetHarness(w)
      const first = await submit(newRequest())
      const other = await submit(newRequest({ fingerprint: 'v1:other', amount: usdt(1_000_000n) }))
      expect(other).toEqual({ type: 'refused', code: 'IDEMPOTENCY_KEY_REUSED' })
      expect(plain(await submit(newRequest()))).toEqual(replayOf(first))
      expect(chain.broadcasts).toHaveLength(1)
    })

    test('by a refused request is free', async () => {
      const { acceptedSend, submit, newRequest, step } = await faucetHarness(w)
      await acceptedSend(newRequest())
      const next = newRequest({ key: 'attempt-2' })
      expect(await submit(next)).toMatchObject({ type: 'refused' })
      await step(60)
      const changed = { ...next, fingerprint: 'v1:changed' }
      expect(await submit(changed)).toMatchObject({ type: 'send', replayed: false })
    })

    test('by 50 concurrent requests sends once, and all get the same answer', async () => {
      const { submit, newRequest, chain } = await faucetHarness(w)
      const all = await Promise.all(Array.from({ length: 50 }, () => submit(newRequest())))
      const first = all.filter((answer) => answer.type === 'send' && !answer.replayed)
      expect(first).toHaveLength(1)
      const answers = new Set(all.map((answer) => JSON.stringify(idOf(answer))))
      expect(answers.size).toBe(1)
      expect(chain.broadcasts).toHaveLength(1)
      expect(chain.received(newRequest().account)).toBe(25_000_000n)
    })

    test.each([
      ['before the limits are checked', 'faucet', 'usage'],
      ['before the faucet is found empty', 'broadcaster', 'prepare'],
      ['before the commit', 'signer', 'sign'],
    ] as const)('%s, after the first lookup, replays', async (_, port, method) => {
      const { submit, newRequest, ports, chain } = await faucetHarness(w)
      const methods = ports[port] as unknown as Record<string, (...args: unknown[]) => unknown>
      const own = methods[method]
      let first: FaucetAnswer | undefined
      methods[method] = async (...args) => {
        if (own === undefined) throw new Error(`no ${method}`)
        methods[method] = own
        first = await submit(newRequest())
        return method === 'prepare' ? 'insufficient' : own(...args)
      }
      const second = await submit(newRequest())
      expect(first).toMatchObject({ type: 'send', replayed: false })
      expect(plain(second)).toEqual(first && replayOf(first))
      expect(chain.broadcasts).toHaveLength(1)
    })
  })
}

const idOf = (answer: FaucetAnswer) => (answer.type === 'send' ? [answer.send.id, answer.send.transfer.txHash] : answer)
