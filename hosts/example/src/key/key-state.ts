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
import { type NewOperatorToken, newOperatorToken, openProposal } from '@quipu/core/operator'
import { type MemoryDatabase, memoryDatabase } from '@quipu/memory'
import { mockKeyPrefix } from '@quipu/wire'
import { emptyNetworkState, type NetworkState } from '../network/mock-network.ts'

/** All data of one key. Keys share nothing. */
export type KeyState = {
  readonly key: string
  readonly caller: Caller
  readonly database: MemoryDatabase
  readonly network: NetworkState
  /** Real time plus `offsetSeconds`. */
  readonly now: Clock
  offsetSeconds: number
  /** Resolves when the wallet is funded. */
  ready: Promise<void>
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
  /** Stores over the current key. */
  readonly stores: Pick<Stores, 'tenants' | 'apiKeys' | 'wallets' | 'proposals'>
  readonly runAs: <T>(state: KeyState, act: () => T) => T
}

/** @source spec §1 Example wallet */
const startBalance = usdt(1_000_000_000n)
const pricing = { marginBps: 150, feeBps: 0, feeFixed: usdt(0n), paymentCap: bob(5_000_000n) }
const technicalContact = { name: 'Ana Quispe', email: 'ana@example.com' }
const actor = 'example'
const actorHash = sha256(actor)
/** The token in whose name example wallets are funded. Nobody has it, and all keys share it. */
const actorToken: NewOperatorToken = {
  hash: actorHash,
  token: newOperatorToken(
    { person: actor, label: 'example', role: 'admin', hash: actorHash, expiresAt: new Date('9999-12-31T00:00:00Z') },
    { id: `opt_${'0'.repeat(26)}`, createdAt: new Date(0), createdBy: actor, activatedAt: new Date(0) },
  ),
}
const settled = Promise.resolve()

/** Creates the state of a key: a tenant with a funded wallet. */
export function createKeyState(key: string, { realNow, ids, stores, runAs }: KeyStatePorts): KeyState {
  const now: Clock = () => new Date(realNow().getTime() + state.offsetSeconds * 1000)
  const createdAt = realNow()
  const caller = makeCaller(key, ids, createdAt)
  const state: KeyState = {
    key,
    caller,
    database: memoryDatabase(now, [actorToken]),
    network: emptyNetworkState(),
    now,
    offsetSeconds: 0,
    ready: settled,
    confirming: [],
    confirmed: new Map(),
    chainQueue: settled,
    isDelivering: false,
    records: 0,
  }
  state.ready = runAs(state, () => fund(stores, caller, ids)).then(() => {
    state.ready = settled // Drops the closure: 10,000 keys share one settled promise.
  })
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
    hash: '', // Keys are not looked up by hash here.
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

async function fund(
  { tenants, apiKeys, wallets, proposals }: KeyStatePorts['stores'],
  { tenant, key }: Caller,
  ids: Ids,
): Promise<void> {
  const { id: tenantId, createdAt } = tenant
  const by = { tokenHash: actorHash }
  await tenants.create(tenant, ids.next('wal', createdAt), by)
  await apiKeys.issue(key, by) // Commits ask the store whether the key may act.
  const id = ids.next('prp', createdAt)
  const gift = { direction: 'in', amount: startBalance } as const
  const reason = 'example wallet'
  const draft = { id, tenantId, action: { type: 'adjust_wallet', tenantId, ...gift }, reason } as const
  const author = { evidence: null, proposedBy: actor, createdAt, expiresAt: new Date(createdAt.getTime() + 1_000) }
  await proposals.insert(openProposal({ ...draft, ...author }, startBalance), by)
  await wallets.adjust({ id, tenantId, ...gift, reason, actor })
}
