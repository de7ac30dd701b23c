/** A program over the client that `@hey-api/openapi-ts` generates in `client`. */
export const programOverHeyApi = `
import * as api from './client'
import { client } from './client/client.gen'

export async function run(baseUrl: string, apiKey: string) {
  client.setConfig({ baseUrl, auth: () => apiKey })
  const throwOnError = true as const
  const sandboxQr = { amount_mode: 'closed', amount: '25.00' } as const
  const { data: qr } = await api.createSandboxQr({ body: sandboxQr, throwOnError })
  const { content } = qr
  const { data: resolved } = await api.resolveQr({ body: { content }, throwOnError })
  const { resolution_id } = resolved
  const { data: quoted } = await api.createQuote({ body: { resolution_id }, throwOnError })
  const order: api.PayoutRequest = {
    transaction_id: \`generated-\${quoted.id}\`,
    type: 'qr',
    quote_id: quoted.id,
    qr: { content },
    description: 'Almuerzo 🥟 de doña Elvira',
  }
  const { data: paid } = await api.createPayout({ body: order, throwOnError })
  const { data: again } = await api.createPayout({ body: order, throwOnError })
  const { data: read } = await api.getPayout({ path: { id: paid.id }, throwOnError })

  const pages: string[][] = []
  let cursor: string | null | undefined
  while (cursor !== null && pages.length < 2) {
    const query = { limit: 1, ...(cursor !== undefined && { cursor }) }
    const { data: page } = await api.listPayouts({ query, throwOnError })
    pages.push(page.data.map(({ id }) => id))
    cursor = page.next_cursor
  }

  const other: api.PayoutRequest = { ...order, description: 'Cena' }
  const { error, response } = await api.createPayout({ body: other })
  if (!error) throw new Error('a changed order was accepted')
  const refused = { status: response?.status, code: error.error.code, message: error.error.message }
  return { resolved, quoted, paid, again, read, pages, refused }
}
`

/** A program over the client that orval generates in `client`. */
export const programOverOrval = `
import * as api from './client'

/** Orval's functions have relative URLs; a program sets the server. */
function at(baseUrl: string): void {
  const plain = globalThis.fetch
  globalThis.fetch = (url, init) => plain(typeof url === 'string' ? new URL(url, baseUrl) : url, init)
}

export async function run(baseUrl: string, apiKey: string) {
  const { fetch } = globalThis
  at(baseUrl)
  try {
    return await pay({ headers: { 'X-API-Key': apiKey } })
  } finally {
    globalThis.fetch = fetch
  }
}

async function pay(key: RequestInit) {
  const qr = await api.createSandboxQr({ amount_mode: 'closed', amount: '25.00' }, key)
  if (qr.status !== 201) throw new Error(qr.data.error.code)
  const { content } = qr.data
  const resolved = await api.resolveQr({ content }, key)
  if (resolved.status !== 201) throw new Error(resolved.data.error.code)
  const quoted = await api.createQuote({ resolution_id: resolved.data.resolution_id }, key)
  if (quoted.status !== 201) throw new Error(quoted.data.error.code)
  const order: api.PayoutRequest = {
    transaction_id: \`generated-\${quoted.data.id}\`,
    type: 'qr',
    quote_id: quoted.data.id,
    qr: { content },
    description: 'Almuerzo 🥟 de doña Elvira',
  }
  const paid = await api.createPayout(order, key)
  if (paid.status !== 201) throw new Error(paid.data.error.code)
  const again = await api.createPayout(order, key)
  if (again.status !== 201) throw new Error(again.data.error.code)
  const read = await api.getPayout(paid.data.id, key)
  if (read.status !== 200) throw new Error(read.data.error.code)

  const pages: string[][] = []
  let cursor: string | null | undefined
  while (cursor !== null && pages.length < 2) {
    const page = await api.listPayouts({ limit: 1, ...(cursor !== undefined && { cursor }) }, key)
    if (page.status !== 200) throw new Error(page.data.error.code)
    pages.push(page.data.data.map(({ id }) => id))
    cursor = page.data.next_cursor
  }

  const changed = await api.createPayout({ ...order, description: 'Cena' }, key)
  if (changed.status === 201) throw new Error('a changed order was accepted')
  const { code, message } = changed.data.error
  return {
    resolved: resolved.data,
    quoted: quoted.data,
    paid: paid.data,
    again: again.data,
    read: read.data,
    pages,
    refused: { status: changed.status, code, message },
  }
}
`
