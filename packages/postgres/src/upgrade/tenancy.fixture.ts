import { manageApiKeys, manageTenants, usdt } from '@quipu/core'
import { isKeyUsable, apiKeyHash } from '@quipu/core/adapter'
import type { World } from '@quipu/contracts'
import { randomBytes } from 'node:crypto'

export type Tenancy = {
  /** @returns the id of a new tenant with so much available */
  newTenant(available: bigint): Promise<string>
  /** @returns how it stands then */
  suspend(tenantId: string): Promise<string | undefined>
  resume(tenantId: string): Promise<string | undefined>
  issueKey(tenantId: string): Promise<{ readonly id: string; readonly key: string }>
  revokeKey(id: string): Promise<void>
  /** Whose key it is, while it can be used. */
  callerOf(key: string): Promise<string | undefined>
  /** What operators did to a tenant or key, newest first. */
  audited(subject: string): Promise<readonly string[]>
}

export function tenancy(w: World): Tenancy {
  const ports = { ...w, random: randomBytes, now: () => new Date() }
  const keys = manageApiKeys(ports, 'test')
  const tenants = manageTenants(ports)
  return {
    newTenant: async (available) => {
      const technicalContact = { name: 'Rosa', email: 'rosa@pagos.example' }
      // The pricing of the quotes that `newQuote` makes.
      const wish = { legalName: 'Pagos', technicalContact, pricing: { marginBps: 150 } }
      const { id: tenantId } = await tenants.create('ana', wish)
      const funds = { tenantId, direction: 'in', reason: 'funds', actor: 'ana' } as const
      const id = w.ids.uuid(new Date())
      if (available > 0n) await w.wallets.adjust({ ...funds, id, amount: usdt(available) })
      return tenantId
    },
    suspend: async (tenantId) => (await tenants.suspend('ana', tenantId))?.status,
    resume: async (tenantId) => (await tenants.resume('ana', tenantId))?.status,
    issueKey: async (tenantId) => {
      const wish = { name: 'tills', scopes: ['payouts:write'], expiresAt: null } as const
      const issued = await keys.issue('ana', tenantId, wish)
      if (typeof issued !== 'object') throw new Error('no key was issued')
      return { id: issued.record.id, key: issued.key }
    },
    revokeKey: async (id) => void (await keys.revoke('ana', id)),
    callerOf: async (key) => {
      const caller = await w.apiKeys.findCaller(apiKeyHash(key))
      return caller && isKeyUsable(caller, new Date()) ? caller.tenant.id : undefined
    },
    audited: async (subject) =>
      (await w.audit.list({ subject, limit: 100 })).map(({ action }) => action),
  }
}
