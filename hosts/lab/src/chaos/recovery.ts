import { setTimeout as pause } from 'node:timers/promises'
import { askJson } from '@quipu/local/testing'
import type { Load } from '../load/load.ts'
import { stillness } from '../run/stillness.ts'
import { statements } from './statements.ts'
import { accepts } from './system/receivers.ts'
import { baseOf } from './system/supervised.ts'
import type { System } from './system/system.ts'
import type { ChaosTenant, Endpoint } from './system/tenants.ts'

/** Times from the beginning of the healing of a step's last fault, in milliseconds. */
export type Recovery = {
  /** Until a new payout has completed through each API; null if nothing moved any more before. */
  readonly payoutMs: number | null
  /**
   * Until every payout of before has ended, and every event that is due for an accepting receiver was sent.
   * Retries of deliveries that are not due are not waited for.
   */
  readonly backlogMs: number | null
}

const pollMs = 200

/** @param healedAt  by `performance.now()` */
export async function measureRecovery(system: System, load: Load, healedAt: number): Promise<Recovery> {
  const isStill = stillness()
  let backlogLeft = ''
  const isOver = (): boolean => {
    const started = system.programs.filter((program) => program.hasStarted()).length
    return isStill(`${load.ended()} ended, ${started} programs, ${backlogLeft}`)
  }
  const elapsed = (isMet: boolean): number | null => (isMet ? Math.round(performance.now() - healedAt) : null)
  const paying = system.apis.flatMap(({ inbound }) => (inbound ? [load.payThrough(baseOf(inbound), isOver)] : []))
  const payout = Promise.all(paying).then((paid) => elapsed(paid.every(Boolean)))
  const backlog = untilBacklogEmpty(system, isOver, (left) => (backlogLeft = left)).then(elapsed)
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

/** @returns whether it was empty before the wait was over */
async function untilBacklogEmpty(
  system: System,
  isOver: () => boolean,
  onLeft: (left: string) => void,
): Promise<boolean> {
  const ids = acceptingEndpoints(system).map(({ id }) => id)
  const count = async (sql: string, value: unknown): Promise<number> =>
    (await system.database.query<{ count: number }>(sql, [value]))[0]?.count ?? 0
  let since: Date | undefined
  while (!isOver()) {
    try {
      since ??= (await system.database.query<{ now: Date }>('select now()'))[0]?.now
      await reactivate(system)
      const [open, behind] = [await count(statements.openPayouts, since), await count(statements.endpointsBehind, ids)]
      if (open === 0 && behind === 0) return true
      onLeft(`${open} payouts, ${behind} endpoints`)
    } catch {
      // The database or the API has not recovered.
    }
    await pause(pollMs)
  }
  return false
}
