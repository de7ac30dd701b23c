import type { Page, PagePosition, PageQuery } from '../page.ts'
import type { Delivery, DeliveryStatus } from '../webhook/delivery.ts'
import type { DeliveryStore } from '../webhook/ports.ts'
import type { OverviewStore } from './ports.ts'

/** A page of the deliveries of one tenant, endpoint or event, whichever are given. */
export type AllDeliveriesQuery = PageQuery & {
  readonly of:
    | { readonly tenantId: string }
    | { readonly endpointId: string; readonly tenantId?: string }
    | { readonly eventId: string; readonly tenantId?: string; readonly endpointId?: string }
  readonly status?: DeliveryStatus
}

/** Lists deliveries of any tenant, newest event first. The `id` of a position is that of `deliveryPlace`. */
export type ListAllDeliveries = (query: AllDeliveriesQuery) => Promise<Page<Delivery>>

/** The stores that deliveries are listed from. */
export type ListAllDeliveriesPorts = {
  readonly overview: Pick<OverviewStore, 'endpoints' | 'endpoint' | 'event' | 'deliveriesOf'>
  readonly deliveries: Pick<DeliveryStore, 'list'>
}

/**
 * Lists the deliveries of a tenant, an endpoint or an event, for operators. It reads a page of each endpoint and
 * merges them.
 *
 * @example
 * ```ts
 * const list = listAllDeliveries(ports)
 * const { items } = await list({ of: { tenantId: tenant.id }, status: 'pending', limit: 20 })
 * console.log(items.length) // 1
 * ```
 */
export function listAllDeliveries(ports: ListAllDeliveriesPorts): ListAllDeliveries {
  const { overview, deliveries } = ports
  return async ({ of, status, after, limit }) => {
    if ('eventId' in of) {
      const all = await deliveriesOfEvent(overview, of)
      const isWanted = (delivery: Delivery): boolean =>
        (status === undefined || delivery.status === status) && (after === undefined || placeOf(delivery) < after.id)
      return pageOf(all.filter(isWanted), limit)
    }
    const found: Delivery[] = []
    for (const { tenantId, id } of await endpointsOf(overview, of, limit)) {
      const from = after && { createdAt: after.createdAt, id: eventBefore(after.id, id) }
      const query = { limit: limit + 1, ...(from && { after: from }), ...(status && { status }) }
      found.push(...(await deliveries.list(tenantId, id, query)).items)
    }
    return pageOf(found, limit)
  }
}

/** The place of a delivery in the list of all: its event and the endpoint's id without its prefix. */
export const deliveryPlace: RegExp = /^([0-9a-f-]{36})_([0-9A-HJKMNP-TV-Z]{26})$/

const placeOf = ({ eventId, endpointId }: Delivery): string => `${eventId}_${endpointId.slice(3)}`

type Endpoint = { readonly tenantId: string; readonly id: string }

async function endpointsOf(
  overview: ListAllDeliveriesPorts['overview'],
  of: { readonly tenantId?: string; readonly endpointId?: string },
  limit: number,
): Promise<readonly Endpoint[]> {
  const { tenantId, endpointId } = of
  if (endpointId === undefined) {
    if (tenantId === undefined) return []
    const all: Endpoint[] = []
    for (let after: PagePosition | null | undefined; after !== null;) {
      const page = await overview.endpoints({ tenantId, limit, ...(after && { after }) })
      all.push(...page.items.map(({ endpoint }) => endpoint))
      after = page.next
    }
    return all
  }
  const found = await overview.endpoint(endpointId)
  const isWanted = tenantId === undefined || found?.endpoint.tenantId === tenantId
  return found && isWanted ? [found.endpoint] : []
}

async function deliveriesOfEvent(
  overview: ListAllDeliveriesPorts['overview'],
  of: { readonly eventId: string; readonly tenantId?: string; readonly endpointId?: string },
): Promise<readonly Delivery[]> {
  const event = await overview.event(of.eventId)
  if (event === undefined || (of.tenantId ?? event.tenantId) !== event.tenantId) return []
  const all = await overview.deliveriesOf(event.tenantId, event.id)
  return all.filter(({ endpointId }) => (of.endpointId ?? endpointId) === endpointId)
}

/** The exclusive upper event of an endpoint's page: of one event, the deliveries to lower endpoints follow. */
function eventBefore(place: string, endpointId: string): string {
  const [, eventId = '', last = ''] = deliveryPlace.exec(place) ?? []
  return endpointId.slice(3) < last ? nextUuid(eventId) : eventId
}

function nextUuid(id: string): string {
  const digits = (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function pageOf(found: readonly Delivery[], limit: number): Page<Delivery> {
  const sorted = found.toSorted((a, b) => (placeOf(a) > placeOf(b) ? -1 : 1))
  const items = sorted.slice(0, limit)
  const last = items.at(-1)
  const next: PagePosition | null =
    last && sorted.length > limit ? { createdAt: last.createdAt, id: placeOf(last) } : null
  return { items, next }
}
