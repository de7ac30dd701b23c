import {
  type ApiKey,
  bob,
  type Caller,
  type Clock,
  type Ids,
  apiKeyScopes,
  type Stores,
  type Tenant,
  usdt,
} from '@quipu/core'
import { sha256, type ObservedTransfer, type TokenTransfer } from '@quipu/core/adapter'
import { type MemoryDatabase, memoryDatabase } from '@quipu/memory'
import { mockKeyPrefix } from '@quipu/wire'
import { emptyBooks, type NetworkBooks } from '../network/mock-network.ts'

/** Everything that belongs to one key, and that no other key can see. */
export type World = {
  readonly key: string
  readonly caller: Caller
  readonly database: MemoryDatabase
  readonly network: NetworkBooks
  /** Real time, and what the key was put ahead by. */
  readonly now: Clock
  offsetSeconds: number
  /** Resolves when the wallet has its money. */
  ready: Promise<void>
  /** Deposits that are pending, and when the chain has confirmed them; oldest first. */
  readonly confirming: {
    readonly observed: ObservedTransfer
    readonly transfer: TokenTransfer
    readonly at: Date
  }[]
  /** The transfers of solid blocks whose deposits are not settled yet, by the number of the block. */
  readonly confirmed: Map<number, TokenTransfer>
  /** The last thing that was done to the chain: what comes next follows it. */
  chainTurn: Promise<void>
  isDelivering: boolean
  /** How many records were written. */
  records: number
}

export type WorldPorts = {
  /** Real time. */
  readonly realNow: Clock
  readonly ids: Ids
  /** The stores of whatever world is the current one. */
  readonly stores: Pick<Stores, 'tenants' | 'wallets'>
  readonly inWorld: <T>(world: World, act: () => T) => T
}

/** @source spec §1 Example wallet */
const startBalance = usdt(1_000_000_000n)
const pricing = { marginBps: 150, feeBps: 0, feeFixed: usdt(0n), paymentCap: bob(5_000_000n) }
const technicalContact = { name: 'Ana Quispe', email: 'ana@example.com' }
const actor = 'example'
const settled = Promise.resolve()

/** A new world: a tenant with a wallet of 1,000 USDT, and nothing else. */
export function makeWorld(key: string, { realNow, ids, stores, inWorld }: WorldPorts): World {
  const now: Clock = () => new Date(realNow().getTime() + world.offsetSeconds * 1000)
  const caller = makeCaller(key, ids, realNow())
  const world: World = {
    key,
    caller,
    database: memoryDatabase(now),
    network: emptyBooks(),
    now,
    offsetSeconds: 0,
    ready: settled,
    confirming: [],
    confirmed: new Map(),
    chainTurn: settled,
    isDelivering: false,
    records: 0,
  }
  world.ready = inWorld(world, () => fund(stores, caller.tenant, ids)).then(() => {
    world.ready = settled // One promise for all that wait for nothing.
  })
  return world
}

/** Where this key's top-up addresses are among all keys': from 0 to 2²⁸ − 1. */
export const addressIndexOf = ({ key }: World): number =>
  Number.parseInt(sha256(key).slice(0, 7), 16)

function makeCaller(key: string, ids: Ids, createdAt: Date): Caller {
  const tenant: Tenant = {
    id: ids.next('ten', createdAt),
    legalName: 'Ejemplo S.R.L.',
    technicalContact,
    status: 'active',
    pricing,
    createdAt,
    revision: 1,
  }
  const apiKey: ApiKey = {
    id: ids.next('key', createdAt),
    tenantId: tenant.id,
    name: 'example',
    prefix: mockKeyPrefix,
    lastFour: key.slice(-4),
    hash: '', // It is never looked up by it.
    scopes: apiKeyScopes,
    createdAt,
    lastUsedAt: null,
    expiresAt: null,
    revokedAt: null,
  }
  return { tenant, key: apiKey }
}

async function fund(
  { tenants, wallets }: WorldPorts['stores'],
  tenant: Tenant,
  ids: Ids,
): Promise<void> {
  const { id: tenantId, createdAt } = tenant
  await tenants.create(tenant, ids.next('wal', createdAt), actor)
  const gift = { direction: 'in', amount: startBalance, reason: 'example wallet', actor } as const
  await wallets.adjust({ id: 'start', tenantId, ...gift })
}
