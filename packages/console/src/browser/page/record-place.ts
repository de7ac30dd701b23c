import type { FoundRecordsJson } from '@quipu/wire'

type Found = FoundRecordsJson['data'][number]

/** The page of the records whose ids begin so. */
const pageOfPrefix: Readonly<Record<string, string>> = {
  ten: '/tenants',
  po: '/payouts',
  dep: '/deposits',
  prp: '/proposals',
  dif: '/differences',
  rcn: '/reconciliation',
  we: '/endpoints',
  dlv: '/deliveries',
  swb: '/sweeps',
  scr: '/screening',
}

const pageAt = (page: string, id: string): string => `${page}/${encodeURIComponent(id)}`

/** Where the console shows the record of an id; undefined where it does not, or the id does not say. */
export function placeOfId(id: string): string | undefined {
  const page = pageOfPrefix[id.slice(0, id.indexOf('_'))]
  return page === undefined ? undefined : pageAt(page, id)
}

/** Where records are shown whose ids do not say it, or that have no page of their own. */
const places: Readonly<Record<string, (found: Found) => string>> = {
  event: ({ id }) => pageAt('/events', id),
  faucet_send: ({ id }) => pageAt('/faucet-sends', id),
  operator_token: () => '/access',
}

/** The tenant of a key, wallet or top-up address shows it. */
const ofTenant: ReadonlySet<string> = new Set(['api_key', 'wallet', 'top_up_address'])

/** Where the console shows a record that a search has found; undefined where it does not. */
export function placeOf(found: Found): string | undefined {
  const { type, id, tenant_id: tenant } = found
  if (ofTenant.has(type) && tenant !== null) return pageAt('/tenants', tenant)
  return places[type]?.(found) ?? placeOfId(id)
}
