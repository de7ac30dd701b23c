import { apiKeyScopes } from '@quipu/core'
import { z } from 'zod'
import { askJson, type JsonReply } from '../../ask-json.ts'
import type { SecretsFile } from '../data-folder/secrets.ts'

export type DemoTenant = { readonly id: string; readonly apiKey: string }

export type DemoTenantPorts = { readonly operatorUrl: string; readonly secrets: SecretsFile }

const legalName = 'Comercio Demo S.R.L.'
const keyName = 'start'

/**
 * Creates the demo tenant through the operator API: margin 150 bps, one key with every scope.
 *
 * Idempotent: it may be interrupted anywhere and called again. The result is one tenant with one
 * live key, the stored one.
 */
export async function demoTenant(ports: DemoTenantPorts): Promise<DemoTenant> {
  const operator = operatorOf(ports)
  const { secrets } = ports
  const { tenant_id: knownId } = secrets.get()
  const known = knownId !== undefined && (await operator.hasTenant(knownId)) ? knownId : undefined
  const id = known ?? (await operator.findTenant()) ?? (await operator.createTenant())
  if (id !== knownId) await secrets.update({ tenant_id: id })

  const keys = (await operator.listLiveKeys(id)).filter((key) => key.name === keyName)
  const stored = keys.find((key) => isStored(key, secrets.get().api_key))
  if (!stored) await secrets.update({ api_key: await operator.issueKey(id) })
  // A key that was issued by a start that crashed before it stored the key.
  for (const lost of keys) if (lost !== stored) await operator.revokeKey(lost.id)
  return { id, apiKey: secrets.get().api_key ?? '' }
}

const Tenant = z.object({ id: z.string(), legal_name: z.string() })
const Key = z.object({
  id: z.string(),
  name: z.string(),
  last_four: z.string(),
  scopes: z.array(z.string()),
  revoked_at: z.string().nullable(),
})
type Key = z.output<typeof Key>
const IssuedKey = z.object({ key: z.string() })
const Page = z.object({ data: z.array(z.unknown()), next_cursor: z.string().nullable() })

const isStored = (key: Key, apiKey: string | undefined): boolean =>
  apiKey !== undefined && apiKey.endsWith(key.last_four) && apiKeyScopes.every((scope) => key.scopes.includes(scope))

/** Calls of the operator API. */
function operatorOf({ operatorUrl, secrets }: DemoTenantPorts) {
  const headers = { authorization: `Bearer ${secrets.get().operator_token}` }
  const ask = async (method: string, path: string, body?: unknown) => {
    const request = { method, path: `/operator/v1${path}`, headers }
    return askJson(operatorUrl, body === undefined ? request : { ...request, body })
  }
  const unexpected = (request: string, { status, json }: JsonReply): Error =>
    new Error(`${request} was answered ${status}: ${JSON.stringify(json)}`)
  const expect = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const reply = await ask(method, path, body)
    if (reply.status < 300) return reply.json
    throw unexpected(`${method} ${path}`, reply)
  }
  async function* each(path: string): AsyncGenerator {
    for (let from = ''; ;) {
      const found = Page.parse(await expect('GET', `${path}?limit=100${from}`))
      yield* found.data
      if (found.next_cursor === null) return
      from = `&cursor=${encodeURIComponent(found.next_cursor)}`
    }
  }
  return {
    async hasTenant(id: string): Promise<boolean> {
      const reply = await ask('GET', `/tenants/${id}`)
      if (reply.status === 200 || reply.status === 404) return reply.status === 200
      throw unexpected('GET /tenants/{id}', reply)
    },
    async findTenant(): Promise<string | undefined> {
      for await (const item of each('/tenants')) {
        const tenant = Tenant.parse(item)
        if (tenant.legal_name === legalName) return tenant.id
      }
      return undefined
    },
    async createTenant(): Promise<string> {
      const technical_contact = { name: 'Ana Quispe', email: 'ana@example.com' }
      const body = { legal_name: legalName, technical_contact, margin_bps: 150 }
      return Tenant.parse(await expect('POST', '/tenants', body)).id
    },
    async listLiveKeys(tenantId: string): Promise<Key[]> {
      const keys: Key[] = []
      for await (const item of each(`/tenants/${tenantId}/api-keys`)) keys.push(Key.parse(item))
      return keys.filter((key) => key.revoked_at === null)
    },
    async issueKey(tenantId: string): Promise<string> {
      const path = `/tenants/${tenantId}/api-keys`
      return IssuedKey.parse(await expect('POST', path, { name: keyName, scopes: apiKeyScopes })).key
    },
    async revokeKey(id: string): Promise<void> {
      await expect('DELETE', `/api-keys/${id}`)
    },
  }
}
