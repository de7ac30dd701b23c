import { describe, expect, test } from 'vitest'
import { type FaucetAnswer, Unavailable, usdt } from '@quipu/core'
import { accountOf, newTopUp } from '../../fixtures/deposit/addresses.ts'
import { ana, someInstant } from '../../fixtures/builders.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { faucetDesk, type FaucetPorts } from '../../fixtures/faucet/faucet-harness.ts'
import { blockSeconds, solidLagBlocks } from '../../fixtures/faucet/faucet-chain.ts'
import { plainSend } from '../../fixtures/faucet/sends.ts'

const hundred = usdt(100_000_000n)
const code = (answer: FaucetAnswer) => (answer.type === 'refused' ? answer.code : answer.type)

const keys = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `attempt-${n + 1}`)

export function requestingContract(open: OpenHarness): void {
  describe('a request', () => {
    const world = useWorld(open, 'each')

    test('is answered submitted with its transaction, and credits nothing', async () => {
      const w = world()
      const { tenantId, ask, request, chain, now } = await faucetDesk(w)
      const wanted = request()
      const answer = await ask(wanted)
      expect(answer).toMatchObject({
        type: 'send',
        replayed: false,
        send: { ...wanted, tenantId, chain: 'tron', status: 'submitted' },
      })
      const send = answer.type === 'send' ? answer.send : undefined
      expect(send?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-/)
      expect(send?.remainingToday).toEqual(usdt(900_000_000n))
      expect(plainSend(await now())).toEqual(plainSend(send))
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
    ])(
      'is signed upon a solid block, for one to two minutes from the head’s time: %i',
      async (lots, lifeMs) => {
        const { ask, request, chain, ports, step } = await faucetDesk(world())
        const lag = solidLagBlocks * blockSeconds * 1_000
        ports.random = (size) => {
          const bytes = new Uint8Array(size)
          new DataView(bytes.buffer).setUint32(0, lots)
          return bytes
        }
        await step(100)
        await ask(request())
        const [head, solid] = [chain.head('head'), chain.head('solid')]
        expect(solid.at.getTime()).toBe(head.at.getTime() - lag)
        const { account: to, amount } = request()
        const times = {
          at: new Date(someInstant.getTime() + 100_000),
          expiresAt: new Date(head.at.getTime() + lifeMs),
        }
        expect(chain.orders).toEqual([
          { to, amount, feeLimit: 27_000_000n, reference: solid, ...times },
        ])
      },
    )

    test('answers what the tenant can still request: the least of what its amount and its ten requests leave', async () => {
      const { sent, request, step } = await faucetDesk(world())
      const told = []
      for (const key of keys(10)) {
        const send = await sent(request({ key, amount: usdt(1_500_000n), account: accountOf(key) }))
        told.push(send.remainingToday.minor)
        await step(60)
      }
      const left = Array.from({ length: 10 }, (_, n) => BigInt(9 - n) * 100_000_000n)
      expect(told).toEqual(left)
    })

    describe('that is refused', () => {
      test('faucet per request 100.00: what is above it is too large', async () => {
        const { ask, request, chain } = await faucetDesk(world())
        const over = await ask(request({ amount: usdt(100_000_001n) }))
        expect(over).toEqual({ type: 'refused', code: 'FAUCET_AMOUNT_TOO_LARGE' })
        expect(chain.orders).toEqual([])
        expect(code(await ask(request({ amount: hundred })))).toBe('send')
      })

      test('any tenant’s top-up address is refused, a retired one too', async () => {
        const w = world()
        const { ask, request, chain, tenantId } = await faucetDesk(w)
        const { id: other } = await w.newTenant()
        const [mine, theirs, retired] = [
          await newTopUp(w, tenantId),
          await newTopUp(w, other),
          await newTopUp(w, (await w.newTenant()).id),
        ]
        await w.addresses.retire(retired.tenantId, 'tron', ana)
        for (const { account } of [mine, theirs, retired]) {
          const answer = await ask(request({ account }))
          expect(answer).toEqual({ type: 'refused', code: 'TOP_UP_ADDRESS_NOT_ALLOWED' })
        }
        expect(chain.orders).toEqual([])
        expect(code(await ask(request()))).toBe('send')
      })

      test('60 seconds between a tenant’s requests: too soon, with when to come again', async () => {
        const w = world()
        const { sent, ask, request, step } = await faucetDesk(w)
        await sent(request())
        await step(20)
        const soon = await ask(request({ key: 'attempt-2' }))
        expect(soon).toMatchObject({ type: 'refused', code: 'FAUCET_TOO_SOON' })
        const seconds =
          soon.type === 'refused' && 'retryAfterSeconds' in soon ? soon.retryAfterSeconds : 0
        expect(seconds).toBeGreaterThan(30)
        expect(seconds).toBeLessThanOrEqual(40)
        const { id: other } = await w.newTenant()
        expect(code(await ask(request(), { tenantId: other }))).toBe('send')
        await step(seconds)
        expect(code(await ask(request({ key: 'attempt-2' })))).toBe('send')
      })

      test('10 requests and 1,000.00 in 24 hours: beyond it the window must roll first', async () => {
        const { ask, request, step } = await faucetDesk(world())
        for (const key of keys(10)) {
          expect(code(await ask(request({ key, amount: hundred })))).toBe('send')
          await step(3_600)
        }
        const eleventh = () => ask(request({ key: 'attempt-11', account: accountOf('another') }))
        const refused = await eleventh()
        expect(refused).toMatchObject({ code: 'FAUCET_LIMIT_EXCEEDED' })
        const seconds =
          refused.type === 'refused' && 'retryAfterSeconds' in refused
            ? refused.retryAfterSeconds
            : 0
        expect(seconds).toBeGreaterThan(14 * 3_600 - 60)
        expect(seconds).toBeLessThanOrEqual(14 * 3_600)
        await step(seconds)
        expect(code(await eleventh())).toBe('send')
      })

      test('the limits are looked at before the chain is asked and anything is signed', async () => {
        const { sent, ask, request, chain, ports } = await faucetDesk(world())
        await sent(request())
        const unasked = async (): Promise<never> => {
          throw new Error('the chain was asked')
        }
        ports.broadcaster.prepare = unasked
        ports.reader.head = unasked
        expect(code(await ask(request({ key: 'attempt-2' })))).toBe('FAUCET_TOO_SOON')
        expect(chain.orders).toHaveLength(1)
      })

      test('what only the commit finds beyond a limit is not broadcast', async () => {
        const { ask, request, chain, ports, now } = await faucetDesk(world())
        const { sign } = ports.signer
        ports.signer.sign = async (order) => {
          ports.signer.sign = sign
          expect(code(await ask(request({ key: 'attempt-2' })))).toBe('send')
          return sign(order)
        }
        expect(await ask(request())).toMatchObject({ code: 'FAUCET_TOO_SOON' })
        expect(await now()).toBeUndefined()
        expect(chain.broadcasts).toEqual([(await now('attempt-2'))?.transfer])
      })

      test('a faucet out of tokens or energy is empty, and the key stays free', async () => {
        const { ask, request, chain, now } = await faucetDesk(world())
        chain.feeLimit = undefined
        expect(await ask(request())).toEqual({ type: 'refused', code: 'FAUCET_EMPTY' })
        expect(await now()).toBeUndefined()
        expect(chain.orders).toEqual([])
        chain.feeLimit = 1n
        expect(code(await ask(request()))).toBe('send')
      })

      test('the first thing that is wrong is told: key, amount, address, limits, faucet', async () => {
        const w = world()
        const { sent, ask, request, chain, tenantId, step } = await faucetDesk(w)
        await sent(request({ key: 'used' }))
        const { account } = await newTopUp(w, tenantId)
        chain.feeLimit = undefined
        const wrong = { fingerprint: 'v1:other', amount: usdt(100_000_001n), account }
        const all = []
        all.push(await ask(request({ ...wrong, key: 'used' })))
        all.push(await ask(request({ ...wrong })))
        all.push(await ask(request({ ...wrong, amount: hundred })))
        all.push(await ask(request({ amount: hundred })))
        await step(60)
        all.push(await ask(request({ amount: hundred })))
        chain.feeLimit = 1n
        all.push(await ask(request({ amount: hundred })))
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
      ])('while %s cannot be reached nothing is sent, and the key stays free', async (_, cut) => {
        const { ask, request, chain, ports, now } = await faucetDesk(world())
        cut(ports, async () => {
          throw new Unavailable('chain', 'down')
        })
        await expect(ask(request())).rejects.toBeInstanceOf(Unavailable)
        expect(await now()).toBeUndefined()
        expect(chain.broadcasts).toEqual([])
      })
    })

    test('100 at once with distinct keys get no more than an address may', async () => {
      const w = world()
      const { ask, request, chain } = await faucetDesk(w)
      const tenants = await Promise.all(Array.from({ length: 50 }, () => w.newTenant()))
      const all = await Promise.all(
        keys(100).map((key, n) => {
          const tenantId = tenants[n % tenants.length]?.id ?? ''
          return ask(request({ key, amount: hundred }), { tenantId })
        }),
      )
      expect(all.filter(({ type }) => type === 'send')).toHaveLength(10)
      expect(chain.received(request().account)).toBe(1_000_000_000n)
      expect(chain.broadcasts).toHaveLength(10)
    })

    test('equal requests of two tenants in one millisecond are two transfers', async () => {
      const w = world()
      const { ask, request, chain } = await faucetDesk(w)
      const tenants = await Promise.all(Array.from({ length: 20 }, () => w.newTenant()))
      await Promise.all(tenants.map(({ id }) => ask(request(), { tenantId: id })))
      expect(new Set(chain.broadcasts.map(({ txHash }) => txHash)).size).toBe(20)
      expect(chain.received(request().account)).toBe(20n * 25_000_000n)
    })

    test('a transfer with the id of another is signed anew before anything is sent', async () => {
      const w = world()
      const { ask, request, chain, ports } = await faucetDesk(w)
      const lots = [0, 0, 0, 7]
      ports.random = (size) => new Uint8Array(size).fill(lots.shift() ?? 9, size - 1)
      const { id: other } = await w.newTenant()
      expect(code(await ask(request()))).toBe('send')
      expect(code(await ask(request(), { tenantId: other }))).toBe('send')
      expect(chain.orders).toHaveLength(4)
      expect(chain.broadcasts).toHaveLength(2)
      expect(chain.received(request().account)).toBe(50_000_000n)
    })

    test('a signer that only makes ids of others sends nothing', async () => {
      const w = world()
      const { sent, ask, request, chain, ports } = await faucetDesk(w)
      const { transfer } = await sent(request())
      ports.signer.sign = async () => transfer
      const { id: other } = await w.newTenant()
      const asked = ask(request(), { tenantId: other })
      await expect(asked).rejects.toBeInstanceOf(Unavailable)
      expect(await w.faucet.find(other, 'attempt-1')).toBeUndefined()
      expect(chain.broadcasts).toHaveLength(1)
    })
  })
}
