import { describe, expect, test } from 'vitest'
import { type FaucetAnswer, Unavailable, usdt } from '@quipu/core'
import { newTopUp } from '../../fixtures/deposit/addresses.ts'
import { someOperator } from '../../fixtures/builders.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { faucetHarness, type FaucetPorts } from '../../fixtures/faucet/faucet-harness.ts'
import { blockSeconds, solidLagBlocks } from '../../fixtures/faucet/faucet-chain.ts'
import { plainSend } from '../../fixtures/faucet/sends.ts'

type Needed = 'wallets' | 'proposals' | 'tenants' | 'addresses' | 'faucet'

const hundred = usdt(100_000_000n)
const code = (answer: FaucetAnswer) => (answer.type === 'refused' ? answer.code : answer.type)

export function requestFaucetTests(open: OpenHarness<Needed>): void {
  describe('a request', () => {
    const w = useWorld(open, 'each')

    test('is answered as submitted with its transaction, and credits nothing', async () => {
      const { tenantId, submit, newRequest, chain, currentSend } = await faucetHarness(w)
      const wanted = newRequest()
      const answer = await submit(wanted)
      expect(answer).toMatchObject({
        type: 'send',
        replayed: false,
        send: { ...wanted, tenantId, chain: 'tron', status: 'submitted' },
      })
      const send = answer.type === 'send' ? answer.send : undefined
      expect(send?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-/)
      expect(send?.remainingToday).toEqual(usdt(900_000_000n))
      expect(plainSend(await currentSend())).toEqual(plainSend(send))
      expect(chain.broadcasts).toEqual([send?.transfer])
      expect(chain.received(wanted.account)).toBe(25_000_000n)
      const wallet = await w.wallets.find(tenantId)
      expect(wallet).toMatchObject({ available: usdt(0n), held: usdt(0n) })
    })

    test.each([
      [0, 60_000],
      [59_999, 119_999],
      [60_000, 60_000],
      [4_294_967_295, 107_295],
    ])('refers to a solid block and expires one to two minutes after the head: %i', async (lots, lifeMs) => {
      const { submit, newRequest, chain, ports, step } = await faucetHarness(w)
      const lag = solidLagBlocks * blockSeconds * 1_000
      ports.random = (size) => {
        const bytes = new Uint8Array(size)
        new DataView(bytes.buffer).setUint32(0, lots)
        return bytes
      }
      await step(100)
      await submit(newRequest())
      const [head, solid] = [chain.head('head'), chain.head('solid')]
      expect(solid.at.getTime()).toBe(head.at.getTime() - lag)
      const { account: to, amount } = newRequest()
      const times = { at: new Date(someInstant.getTime() + 100_000), expiresAt: new Date(head.at.getTime() + lifeMs) }
      expect(chain.orders).toEqual([{ to, amount, feeLimit: 27_000_000n, reference: solid, ...times }])
    })

    describe('that is refused', () => {
      test('an amount above 100.00 is too large', async () => {
        const { submit, newRequest, chain } = await faucetHarness(w)
        const over = await submit(newRequest({ amount: usdt(100_000_001n) }))
        expect(over).toEqual({ type: 'refused', code: 'FAUCET_AMOUNT_TOO_LARGE' })
        expect(chain.orders).toEqual([])
        expect(code(await submit(newRequest({ amount: hundred })))).toBe('send')
      })

      test('refuses every tenant’s top-up address, even a retired one', async () => {
        const { submit, newRequest, chain, tenantId } = await faucetHarness(w)
        const { id: other } = await w.newTenant()
        const [mine, theirs, retired] = [
          await newTopUp(w, tenantId),
          await newTopUp(w, other),
          await newTopUp(w, (await w.newTenant()).id),
        ]
        await w.addresses.retire(retired.tenantId, 'tron', someOperator)
        for (const { account } of [mine, theirs, retired]) {
          const answer = await submit(newRequest({ account }))
          expect(answer).toEqual({ type: 'refused', code: 'TOP_UP_ADDRESS_NOT_ALLOWED' })
        }
        expect(chain.orders).toEqual([])
        expect(code(await submit(newRequest()))).toBe('send')
      })

      test('refuses accounts from which the tokens never return, and its own', async () => {
        const { submit, newRequest, chain, currentSend } = await faucetHarness(w)
        for (const account of [chain.blackHole, chain.signer.account]) {
          const answer = await submit(newRequest({ account }))
          expect(answer).toEqual({ type: 'refused', code: 'RECIPIENT_NOT_ALLOWED' })
        }
        expect(chain.orders).toEqual([])
        expect(await currentSend()).toBeUndefined()
      })

      test('a token that refuses the transfer is an outage, and not an empty faucet', async () => {
        const { submit, newRequest, chain, currentSend } = await faucetHarness(w)
        chain.feeLimit = 'refused'
        await expect(submit(newRequest())).rejects.toBeInstanceOf(Unavailable)
        expect(await currentSend()).toBeUndefined()
      })

      test('checks the limits before it calls the chain and signs', async () => {
        const { acceptedSend, submit, newRequest, chain, ports } = await faucetHarness(w)
        await acceptedSend(newRequest())
        const unasked = async (): Promise<never> => {
          throw new Error('the chain was called')
        }
        ports.broadcaster.prepare = unasked
        ports.reader.head = unasked
        expect(code(await submit(newRequest({ key: 'attempt-2' })))).toBe('FAUCET_TOO_SOON')
        expect(chain.orders).toHaveLength(1)
      })

      test('a request above a limit at the commit is not broadcast', async () => {
        const { submit, newRequest, chain, ports, currentSend } = await faucetHarness(w)
        const { sign } = ports.signer
        ports.signer.sign = async (order) => {
          ports.signer.sign = sign
          expect(code(await submit(newRequest({ key: 'attempt-2' })))).toBe('send')
          return sign(order)
        }
        expect(await submit(newRequest())).toMatchObject({ code: 'FAUCET_TOO_SOON' })
        expect(await currentSend()).toBeUndefined()
        expect(chain.broadcasts).toEqual([(await currentSend('attempt-2'))?.transfer])
      })

      test('a faucet without tokens or energy is empty; the key stays free', async () => {
        const { submit, newRequest, chain, currentSend } = await faucetHarness(w)
        chain.feeLimit = 'insufficient'
        expect(await submit(newRequest())).toEqual({ type: 'refused', code: 'FAUCET_EMPTY' })
        expect(await currentSend()).toBeUndefined()
        expect(chain.orders).toEqual([])
        chain.feeLimit = 1n
        expect(code(await submit(newRequest()))).toBe('send')
      })

      test('reports the first problem of: key, amount, address, limits, faucet', async () => {
        const { acceptedSend, submit, newRequest, chain, tenantId, step } = await faucetHarness(w)
        await acceptedSend(newRequest({ key: 'used' }))
        const { account } = await newTopUp(w, tenantId)
        chain.feeLimit = 'insufficient'
        const wrong = { fingerprint: 'v1:other', amount: usdt(100_000_001n), account }
        const all = []
        all.push(await submit(newRequest({ ...wrong, key: 'used' })))
        all.push(await submit(newRequest({ ...wrong })))
        all.push(await submit(newRequest({ ...wrong, amount: hundred })))
        all.push(await submit(newRequest({ amount: hundred })))
        await step(60)
        all.push(await submit(newRequest({ amount: hundred })))
        chain.feeLimit = 1n
        all.push(await submit(newRequest({ amount: hundred })))
        expect(all.map(code)).toEqual([
          'IDEMPOTENCY_KEY_REUSED',
          'FAUCET_AMOUNT_TOO_LARGE',
          'TOP_UP_ADDRESS_NOT_ALLOWED',
          'FAUCET_TOO_SOON',
          'FAUCET_EMPTY',
          'send',
        ])
      })

      test.each<[string, (ports: FaucetPorts, down: () => Promise<never>) => void]>([
        ['the node', (ports, down) => (ports.broadcaster.prepare = down)],
        ['the chain', (ports, down) => (ports.reader.head = down)],
        ['the key', (ports, down) => (ports.signer.sign = down)],
        ['the store', (ports, down) => (ports.faucet.commit = down)],
      ])('during an outage of %s nothing is sent, and the key stays free', async (_, cut) => {
        const { submit, newRequest, chain, ports, currentSend } = await faucetHarness(w)
        cut(ports, async () => {
          throw new Unavailable('chain', 'down')
        })
        await expect(submit(newRequest())).rejects.toBeInstanceOf(Unavailable)
        expect(await currentSend()).toBeUndefined()
        expect(chain.broadcasts).toEqual([])
      })
    })

    test('equal requests of different tenants in one millisecond are different transfers', async () => {
      const { submit, newRequest, chain } = await faucetHarness(w)
      const tenants = await Promise.all(Array.from({ length: 20 }, () => w.newTenant()))
      await Promise.all(tenants.map(({ id }) => submit(newRequest(), { tenantId: id })))
      expect(new Set(chain.broadcasts.map(({ txHash }) => txHash)).size).toBe(20)
      expect(chain.received(newRequest().account)).toBe(20n * 25_000_000n)
    })

    test('a transfer with an existing hash is signed again before it is sent', async () => {
      const { submit, newRequest, chain, ports } = await faucetHarness(w)
      const lots = [0, 0, 0, 7]
      ports.random = (size) => new Uint8Array(size).fill(lots.shift() ?? 9, size - 1)
      const { id: other } = await w.newTenant()
      expect(code(await submit(newRequest()))).toBe('send')
      expect(code(await submit(newRequest(), { tenantId: other }))).toBe('send')
      expect(chain.orders).toHaveLength(4)
      expect(chain.broadcasts).toHaveLength(2)
      expect(chain.received(newRequest().account)).toBe(50_000_000n)
    })
  })
}
