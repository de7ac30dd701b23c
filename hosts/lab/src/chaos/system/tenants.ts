import { apiKeyScopes } from '@quipu/core'
import { askJson, operatorToken } from '@quipu/local/testing'
import { openReceiver, type Receiver, type ReceiverKind } from './receivers.ts'

/** A tenant of the load. */
export type ChaosTenant = {
  readonly id: string
  readonly apiKey: string
  /** Address of its deposits. */
  readonly address: string
  readonly endpoints: readonly Endpoint[]
}

export type Endpoint = { readonly id: string; readonly receiver: Receiver }

/** The receivers of each tenant of chaos. */
export const chaosReceivers: readonly (readonly ReceiverKind[])[] = [
  ['ok', 'slow'],
  ['ok', 'error', 'redirect'],
  ['ok', 'cut'],
]

type Urls = { readonly url: string; readonly operatorUrl: string }

/** Creates a tenant for each list of receivers, with their keys and webhook endpoints. */
export const createTenants = (
  api: Urls,
  receivers: readonly (readonly ReceiverKind[])[],
  resources: AsyncDisposableStack,
): Promise<readonly ChaosTenant[]> => Promise.all(receivers.map((kinds) => createTenant(api, kinds, resources)))

async function createTenant(
  { url, operatorUrl }: Urls,
  kinds: readonly ReceiverKind[],
  resources: AsyncDisposableStack,
): Promise<ChaosTenant> {
  const operator = { authorization: `Bearer ${operatorToken}` }
  const technical_contact = { name: 'Ana Quispe', email: 'ana@example.com' }
  const { id } = await post<{ id: string }>(operatorUrl, '/operator/v1/tenants', operator, {
    legal_name: 'Ejemplo',
    technical_contact,
  })
  const keys = `/operator/v1/tenants/${id}/api-keys`
  const { key: apiKey } = await post<{ key: string }>(operatorUrl, keys, operator, {
    name: 'chaos',
    scopes: apiKeyScopes,
  })
  const tenant = { 'x-api-key': apiKey }
  const endpoints: Endpoint[] = []
  for (const kind of kinds) {
    const receiver = resources.adopt(await openReceiver(kind), (it) => it.stop())
    const created = await post<{ id: string; secret: string }>(url, '/v1/webhooks', tenant, { url: receiver.url })
    receiver.secret = created.secret
    endpoints.push({ id: created.id, receiver })
  }
  const { json } = await askJson(url, { method: 'GET', path: '/v1/wallets', headers: tenant })
  const [topUp] = (json as { top_up_addresses: { address: string }[] }).top_up_addresses
  return { id, apiKey, address: topUp?.address ?? '', endpoints }
}

async function post<T>(url: string, path: string, headers: Record<string, string>, body: unknown): Promise<T> {
  const { status, json } = await askJson(url, { method: 'POST', path, headers, body })
  if (status >= 300) throw new Error(`${path} was answered ${status}: ${JSON.stringify(json)}`)
  return json as T
}
