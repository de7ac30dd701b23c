import { type Tenant, tenantChanged, tenantCreated, type TenantStore, usdt } from '@quipu/core'
import { type Database, positionOf, type Room } from '../database.ts'
import { lazily } from '../lazily.ts'
import { newestFirst } from '../newest-first.ts'

export const memoryTenantStore = (database: Database): TenantStore => ({
  create: async (tenant, walletId, actor) => {
    if (database.rooms.has(tenant.id)) throw new Error(`tenant ${tenant.id} exists`)
    database.rooms.set(tenant.id, emptyRoom(tenant, walletId))
    database.roomOrder.add(positionOf(tenant))
    database.audit.push(tenantCreated(tenant, actor))
  },
  find: async (id) => database.rooms.get(id)?.tenant,
  list: async (query) => database.roomOrder.page(query, (id) => database.rooms.get(id)?.tenant),
  update: async ({ id, status, pricing, revision }, action, author) => {
    const room = database.rooms.get(id)
    if (room?.tenant.revision !== revision - 1) return 'stale'
    const before = room.tenant
    const entry = tenantChanged(action, before, { status, pricing }, author)
    room.tenant = { ...before, status, pricing, revision }
    database.audit.push(entry)
    return 'committed'
  },
})

const emptyRoom = (tenant: Tenant, walletId: string): Room =>
  roomLike({
    tenant,
    wallet: {
      id: walletId,
      createdAt: tenant.createdAt,
      updatedAt: tenant.createdAt,
      loggedAt: new Date(0),
      balance: { available: usdt(0n), held: usdt(0n) },
      transfers: [],
      transactions: [],
      adjustmentIds: new Set(),
    },
  })

const roomLike = lazily<Room>({
  quotes: () => new Map(),
  resolutions: () => new Map(),
  payouts: () => new Map(),
  transactions: () => new Map(),
  payoutOrder: newestFirst,
  keyOrder: newestFirst,
  events: () => new Map(),
  eventOrder: newestFirst,
  webhooks: () => new Map(),
  webhookOrder: newestFirst,
  addresses: () => new Map(),
  depositOrder: newestFirst,
  faucetSends: () => new Map(),
})
