import {
  type ApiKey,
  bob,
  type Caller,
  type Clock,
  type Ids,
  scopes,
  sha256,
  type Sighting,
  type Stores,
  type Tenant,
  Unavailable,
  usdt,
} from '@quipu/core'
import { memoryStores } from '@quipu/memory'
import { type MockNetwork, mockNetwork } from './mock-network.ts'

/** Everything that belongs to one key, and that no other key can see. */
export type World = {
  readonly key: string
  readonly caller: Caller
  readonly stores: Stores
  readonly network: MockNetwork
  /** Real time, and what the key was put ahead by. */
  readonly now: Clock
  readonly offsetSeconds: () => number
  /** False when the clock would be too far ahead: it stays as it is. */
  advance(seconds: number): boolean
  /** Where this key's top-up addresses are among all keys'. */
  readonly addressIndex: number
  /** Resolves when the wallet has its money. */
  readonly ready: Promise<void>
  /** Deposits that are pending, and when the chain has confirmed them; oldest first. */
  readonly confirming: { readonly sighting: Sighting; readonly at: Date }[]
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
}

/** @source spec §1 Example wallet */
const startBalance = usdt(1_000_000_000n)
const pricing = { marginBps: 150, feeBps: 0, feeFixed: usdt(0n), paymentCap: bob(5_000_000n) }
const technicalContact = { name: 'Ana Quispe', email: 'ana@example.com' }
const actor = 'example'
/** @source assumed */
const endpointsPerKey = 2
const offsetSecondsMax = 10 * 365 * 86_400

/** A new world: a tenant with a wallet of 1,000 USDT, and nothing else. */
export function makeWorld(key: string, { realNow, ids }: WorldPorts): World {
  let offsetSeconds = 0
  const now: Clock = () => new Date(realNow().getTime() + offsetSeconds * 1000)
  const memory = memoryStores({ now })
  const network = mockNetwork(now)
  const caller = makeCaller(key, ids, now())
  return {
    key,
    caller,
    stores: {
      ...memory,
      payouts: { ...memory.payouts, commit: losingAnswers(memory, network) },
      webhooks: {
        ...memory.webhooks,
        insert: (stored, policy) =>
          memory.webhooks.insert(stored, { ...policy, endpointsPerTenant: endpointsPerKey }),
      },
    },
    network,
    now,
    offsetSeconds: () => offsetSeconds,
    advance(seconds) {
      if (offsetSeconds + seconds > offsetSecondsMax) return false
      offsetSeconds += seconds
      return true
    },
    addressIndex: Number.parseInt(sha256(key).slice(0, 7), 16),
    ready: fund(memory, caller.tenant, ids),
    confirming: [],
    chainTurn: Promise.resolve(),
    isDelivering: false,
    records: 0,
  }
}

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
    prefix: 'qpu_mock_',
    lastFour: key.slice(-4),
    hash: '', // It is never looked up by it.
    scopes,
    createdAt,
    lastUsedAt: null,
    expiresAt: null,
    revokedAt: null,
  }
  return { tenant, key: apiKey }
}

async function fund({ tenants, wallets }: Stores, tenant: Tenant, ids: Ids): Promise<void> {
  const { id: tenantId, createdAt: at } = tenant
  const audit = { actor, action: 'tenant.create', subject: tenantId, at, before: null, after: null }
  await tenants.create(tenant, ids.next('wal', at), audit)
  await wallets.adjust({
    id: 'start',
    tenantId,
    direction: 'in',
    amount: startBalance,
    reason: 'example wallet',
    actor,
  })
}

/** Settles, and where the network says so, loses the answer on its way back. */
const losingAnswers =
  ({ payouts }: Stores, network: MockNetwork): Stores['payouts']['commit'] =>
  async (write) => {
    const committed = await payouts.commit(write)
    if (write.kind === 'settle' && network.loses(write.step.payout.id))
      throw new Unavailable('store', 'the answer was lost, as the QR says')
    return committed
  }
