import { expect } from 'vitest'
import {
  type Broadcaster,
  type ChainReader,
  defaultFaucetSettings,
  type FaucetAnswer,
  type FaucetRequest,
  type FaucetSend,
  type FaucetSettings,
  type FaucetStore,
  finishFaucetSend,
  type RandomBytes,
  requestFaucet,
  type Timer,
  type TopUpAddressStore,
  type TransferSigner,
  Unavailable,
  usdt,
} from '@quipu/core'
import { accountOf, testAddresses } from '../funding/addresses.ts'
import { counter, someInstant } from '../given.ts'
import type { World } from '../harness.ts'
import { type FaucetChain, faucetChain } from './faucet-chain.ts'

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] }

/** What the use cases ask of the world; a test may replace its methods. */
export type FaucetPorts = {
  readonly faucet: Mutable<FaucetStore>
  readonly addresses: Mutable<Pick<TopUpAddressStore, 'match'>>
  readonly reader: Mutable<Pick<ChainReader, 'chain' | 'head'>>
  readonly signer: Mutable<TransferSigner>
  readonly broadcaster: Mutable<Broadcaster>
  random: RandomBytes
}

/** A place in a use case where a process may die. */
export type Point = `${Exclude<keyof FaucetPorts, 'random'>}.${string}`

/** One tenant, a chain and the use cases between them, with every clock in the test’s hands. */
export type FaucetDesk = {
  readonly tenantId: string
  readonly chain: FaucetChain
  readonly ports: FaucetPorts
  /** For 25 USDT to a wallet, with one and the same key unless said otherwise. */
  request(over?: Partial<FaucetRequest>): FaucetRequest
  /** Of the desk’s tenant unless said otherwise. */
  ask(
    request: FaucetRequest,
    over?: Partial<FaucetSettings> & { readonly tenantId?: string },
  ): Promise<FaucetAnswer>
  /** The send of an answer that is one. */
  sent(request: FaucetRequest): Promise<FaucetSend>
  /** How the send of a key now stands. */
  now(key?: string): Promise<FaucetSend | undefined>
  /** One round of one worker. */
  work(): Promise<readonly FaucetSend[]>
  /** Steps all clocks, and wakes who waited for it. */
  step(seconds: number): Promise<void>
  /** Steps on, with workers that die when they are killed, until whatever was sent must have ended. */
  finish(): Promise<void>
  /** The process dies once, just before it calls this or just after it got its answer. */
  kill(point: Point, when: 'before' | 'after'): void
}

const leaseSeconds = 15

export async function faucetDesk(world: World): Promise<FaucetDesk> {
  const { id: tenantId } = await world.newTenant()
  const time = { now: someInstant.getTime() }
  const waits = new Set<{ readonly at: number; readonly wake: () => void }>()
  const timer: Timer = (ms) => {
    const { promise: done, resolve: wake } = Promise.withResolvers<void>()
    const wait = { at: time.now + ms, wake }
    waits.add(wait)
    return { done, cancel: () => void waits.delete(wait) }
  }
  const chain = faucetChain(() => time.now)
  const ports: FaucetPorts = {
    faucet: { ...world.faucet },
    addresses: { match: world.addresses.match },
    reader: { ...chain.reader },
    signer: { ...chain.signer },
    broadcaster: { ...chain.broadcaster },
    random: counter(),
  }
  const rest = {
    ...{ ids: world.ids, now: () => new Date(time.now), timer },
    random: (size: number) => ports.random(size),
  }
  const finishOne = finishFaucetSend({ ...ports, ...rest })
  const request: FaucetDesk['request'] = (over = {}) => {
    const account = over.account ?? accountOf('a wallet')
    return {
      ...{ key: 'attempt-1', fingerprint: 'v1:body', account, amount: usdt(25_000_000n) },
      address: testAddresses.format(account),
      ...over,
    }
  }
  const ask: FaucetDesk['ask'] = (wanted, { tenantId: asker = tenantId, ...settings } = {}) =>
    requestFaucet({ ...ports, ...rest }, { ...defaultFaucetSettings, leaseSeconds, ...settings })(
      asker,
      wanted,
    )
  const work = async () =>
    Promise.all((await ports.faucet.claimDue(50, leaseSeconds)).map((each) => finishOne(each)))
  const step = async (seconds: number) => {
    time.now += seconds * 1000
    await world.advance(seconds)
    for (const wait of Array.from(waits).filter(({ at }) => at <= time.now)) {
      waits.delete(wait)
      wait.wake()
    }
  }
  return {
    ...{ tenantId, chain, ports, request, ask, work, step },
    sent: async (wanted) => {
      const answer = await ask(wanted)
      if (answer.type === 'refused') throw new Error(`refused: ${answer.code}`)
      return answer.send
    },
    now: (key = 'attempt-1') => world.faucet.find(tenantId, key),
    finish: async () => {
      for (let round = 0; round < 20; round++) {
        await step(15)
        await work().catch(() => undefined) // Killed; the next one goes on.
      }
    },
    kill: (point, when) => kill(ports, point, when),
  }
}

function kill(ports: FaucetPorts, point: Point, when: 'before' | 'after'): void {
  const [port = '', method = ''] = point.split('.')
  const methods = ports[port as 'faucet'] as unknown as Record<
    string,
    ((...given: unknown[]) => Promise<unknown>) | undefined
  >
  const alive = methods[method]
  if (alive === undefined) throw new Error(`no ${point}`)
  methods[method] = async (...given) => {
    methods[method] = alive
    if (when === 'after') await alive(...given)
    throw new Error(`killed ${when} ${point}`)
  }
}

/** How a node answers that does not. */
export const lost = async (): Promise<never> => {
  throw new Unavailable('chain', 'no answer')
}

/** Every byte that was ever sent is of one transfer. */
export const onlyOneIsSent = ({ chain }: Pick<FaucetDesk, 'chain'>): void => {
  expect(new Set(chain.broadcasts.map(({ bytes }) => new TextDecoder().decode(bytes))).size).toBe(1)
}

/** A desk with a send that the node never got; what it gets from now on it takes. */
export async function unheard(desk: FaucetDesk): Promise<FaucetDesk> {
  const { take } = desk.chain
  desk.chain.take = lost
  await desk.sent(desk.request())
  desk.chain.take = take
  return desk
}
