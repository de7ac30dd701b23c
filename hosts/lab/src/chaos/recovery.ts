import { setTimeout as pause } from 'node:timers/promises'
import { askJson } from '@quipu/local/testing'
import type { Load } from '../load/load.ts'
import { statements } from './statements.ts'
import { accepts } from './system/receivers.ts'
import { baseOf } from './system/supervised.ts'
import type { System } from './system/system.ts'
import type { ChaosTenant, Endpoint } from './system/tenants.ts'

/** Times from the beginning of the healing of a step's last fault, in milliseconds. */
export type Recovery = {
  /** Until a new payout has completed through each API; null if none did within the limit. */
  readonly payoutMs: number | null
  /**
   * Until every payout of before has ended, and every event that is due for an accepting receiver was sent.
   * Retries of deliveries that are not due are not waited for.
   */
  readonly backlogMs: number | null
}

const limitMs = 180_000
const pollMs = 200

/** @param healedAt  by `performance.now()` */
export async function measureRecovery(system: System, load: Load, healedAt: number): Promise<Recovery> {
  const isOver = (): boolean => performance.now() > healedAt + limitMs
  const elapsed = (): number => Math.round(performance.now() - healedAt)
  const paying = system.apis.map(({ inbound }) =>
    inbound ? load.payThrough(baseOf(inbound), isOver) : Promise.resolve(),
  )
  const payout = Promise.all(paying).then(() => (isOver() ? null : elapsed()))
  const backlog = untilBacklogEmpty(system, isOver).then(() => (isOver() ? null : elapsed()))
  const [payoutMs, backlogMs] = await Promise.all([payout, backlog])
  return { payoutMs, backlogMs }
}

/** Every endpoint whose receiver accepts events. */
export const acceptingEndpoints = (system: System): readonly (Endpoint & { tenant: ChaosTenant })[] =>
  system.tenants.flatMap((tenant) =>
    tenant.endpoints.filter(({ receiver }) => accepts(receiver.kind)).map((endpoint) => ({ ...endpoint, tenant })),
  )

/** Ends the pauses of accepting receivers, as their tenants do. */
export async function reactivate(system: System): Promise<void> {
  const [api] = system.apis
  if (!api?.inbound) return
  const url = baseOf(api.inbound)
  for (const { id, tenant } of acceptingEndpoints(system)) {
    const headers = { 'x-api-key': tenant.apiKey }
    const path = `/v1/webhooks/${id}`
    const { json } = await askJson(url, { method: 'GET', path, headers })
    if ((json as { status: string }).status === 'paused')
      await askJson(url, { method: 'POST', path: `${path}/reactivate`, headers })
  }
}

async function untilBacklogEmpty(system: System, isOver: () => boolean): Promise<void> {
  const ids = acceptingEndpoints(system).map(({ id }) => id)
  const count = async (sql: string, value: unknown): Promise<number> =>
    (await system.database.query<{ count: number }>(sql, [value]))[0]?.count ?? 0
  let since: Date | undefined
  while (!isOver()) {
    try {
      since ??= (await system.database.query<{ now: Date }>('select now()'))[0]?.now
      await reactivate(system)
      if ((await count(statements.openPayouts, since)) === 0 && (await count(statements.endpointsBehind, ids)) === 0)
        return
    } catch {
      // The database or the API has not recovered.
    }
    await pause(pollMs)
  }
}
