import { type ApiKey, bob, type Caller, type Clock, type Ids, apiKeyScopes, type Tenant, usdt } from '@quipu/core'
import { apiKeyHash, sha256, type ObservedTransfer, type TokenTransfer } from '@quipu/core/adapter'
import { type MemoryDatabase, memoryDatabase } from '@quipu/memory'
import { mockKeyPrefix } from '@quipu/wire'
import { emptyNetworkState, type NetworkState } from '../network/mock-network.ts'

/** All data of one key. Keys share nothing. */
export type KeyState = {
  readonly key: string
  /** The hashes of the keys that have replaced others. */
  rotated: readonly string[]
  readonly caller: Caller
  readonly database: MemoryDatabase
  readonly network: NetworkState
  /** Real time plus `offsetSeconds`. */
  readonly now: Clock
  offsetSeconds: number
  /** Pending deposits, and when each is confirmed; oldest first. */
  readonly confirming: { readonly observed: ObservedTransfer; readonly transfer: TokenTransfer; readonly at: Date }[]
  /** Confirmed transfers whose deposits are not settled yet, by block number. */
  readonly confirmed: Map<number, TokenTransfer>
  /** The newest operation on the chain; operations run one after another. */
  chainQueue: Promise<void>
  isDelivering: boolean
  /** The number of written records. */
  records: number
}

export type KeyStatePorts = {
  /** Real time. */
  readonly realNow: Clock
  readonly ids: Ids
}

/** @source spec §1 Example wallet */
const startBalance = usdt(1_000_000_000n)
const pricing = { marginBps: 150, feeBps: 0, feeFixed: usdt(0n), paymentCap: bob(5_000_000n) }
const technicalContact = { name: 'Ana Quispe', email: 'ana@example.com' }
const settled = Promise.resolve()

/** Creates the state of a key: a tenant with a funded wallet. */
export function createKeyState(key: string, { realNow, ids }: KeyStatePorts): KeyState {
  const now: Clock = () => new Date(realNow().getTime() + state.offsetSeconds * 1000)
  const createdAt = realNow()
  const caller = makeCaller(key, ids, createdAt)
  const state: KeyState = {
    key,
    rotated: [],
    caller,
    database: memoryDatabase(now, {
      // Commits ask the store whether the key may act.
      tenant: { ...caller, walletId: ids.next('wal', createdAt), balance: startBalance },
    }),
    network: emptyNetworkState(),
    now,
    offsetSeconds: 0,
    confirming: [],
    confirmed: new Map(),
    chainQueue: settled,
    isDelivering: false,
    records: 0,
  }
  return state
}

/** The offset of the key's addresses in the derivation: from 0 to 2²⁸ − 1. */
export const addressIndexOf = ({ key }: KeyState): number => Number.parseInt(sha256(key).slice(0, 7), 16)

function makeCaller(key: string, ids: Ids, createdAt: Date): Caller {
  const tenant: Tenant = {
    id: ids.next('ten', createdAt),
    legalName: 'Ejemplo S.R.L.',
    technicalContact,
    status: 'active',
    pricing,
    dailyLimits: { amount: null, count: null },
    createdAt,
    revision: 1,
  }
  const apiKey: ApiKey = {
    id: ids.next('key', createdAt),
    tenantId: tenant.id,
    name: 'example',
    prefix: mockKeyPrefix,
    lastFour: key.slice(-4),
    hash: apiKeyHash(key),
    scopes: apiKeyScopes,
    createdAt,
    activatedAt: createdAt,
    lastUsedAt: null,
    expiresAt: null,
    revokedAt: null,
    replaces: null,
    allowedAddresses: null,
  }
  return { tenant, key: apiKey }
}
