import { usdt } from '@quipu/core'
import { manageApiKeys, manageTenants } from '@quipu/core/operator'
import { isKeyUsable, apiKeyHash } from '@quipu/core/adapter'
import { adjustWallet, operatorNamed, type World } from '@quipu/contracts'
import { randomBytes } from 'node:crypto'

export type Tenancy = {
  /** @returns the id of a new tenant with this balance */
  newTenant(available: bigint): Promise<string>
  /** @returns its new status */
  suspend(tenantId: string): Promise<string | undefined>
  resume(tenantId: string): Promise<string | undefined>
  issueKey(tenantId: string): Promise<{ readonly id: string; readonly key: string }>
  revokeKey(id: string): Promise<void>
  /** The tenant of a usable key. */
  callerOf(key: string): Promise<string | undefined>
  /** The operators' actions on a tenant or key, newest first. */
  audited(subject: string): Promise<readonly string[]>
}

export function tenancy(w: World): Tenancy {
  const ports = { ...w, random: randomBytes, now: () => new Date() }
  const keys = manageApiKeys(ports, 'test')
  const tenants = manageTenants(ports)
  return {
    newTenant: async (available) => {
      const technicalContact = { name: 'Rosa', email: 'rosa@pagos.example' }
      // The pricing from which the quotes of `newQuote` follow.
      const input = { legalName: 'Pagos', technicalContact, pricing: { marginBps: 150 } }
      const { id: tenantId } = await tenants.create('ana', input)
      const funds = { tenantId, direction: 'in', reason: 'funds', actor: 'ana' } as const
      const id = w.ids.uuid(new Date())
      if (available > 0n) await adjustWallet(w, { ...funds, id, amount: usdt(available) })
      return tenantId
    },
    suspend: async (tenantId) => (await tenants.suspend('ana', tenantId))?.status,
    resume: async (tenantId) => (await tenants.resume('ana', tenantId))?.status,
    issueKey: async (tenantId) => {
      const input = { name: 'tills', scopes: ['payouts:write'], expiresAt: null } as const
      const issued = await keys.issue(operatorNamed('ada'), tenantId, input)
      if (issued.type === 'refused') throw new Error(issued.code)
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
