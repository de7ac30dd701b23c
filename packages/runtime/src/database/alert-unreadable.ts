import type { RaiseAlert } from '@quipu/core'

type UnreadableRow = { readonly kind: string; readonly tenantId: string; readonly id: string; readonly error: unknown }

const rememberedMax = 10_000

/** Alerts each row that a store could not read once, though every list and claim meets it again. */
export function alertUnreadable(raiseAlert: RaiseAlert): (row: UnreadableRow) => void {
  const alerted = new Set<string>()
  return ({ kind, tenantId, id, error }) => {
    if (alerted.has(id)) return
    if (alerted.size >= rememberedMax) alerted.clear()
    alerted.add(id)
    const detail = `the ${kind} cannot be read: ${error instanceof Error ? error.message : String(error)}`
    raiseAlert({ code: 'ROW_UNREADABLE', tenantId, subject: id, detail })
  }
}
