/** A row that cannot be read: its values are none that its writers can have written. */
export type UnreadableRow = {
  readonly kind: 'payout' | 'event'
  readonly tenantId: string
  readonly id: string
  readonly error: unknown
}

/** Without a receiver the process warns, as the row is missing in what it answers. */
export const warnOfUnreadable = ({ kind, tenantId, id, error }: UnreadableRow): void =>
  process.emitWarning(`${kind} ${id} of tenant ${tenantId} cannot be read: ${String(error)}`)

/** Reads rows for a list. Leaves out and reports one that cannot be read, as it must not hide the others. */
export function readableRows<Row extends { readonly tenant_id: string; readonly id: string }, Item>(
  { onUnreadable }: { readonly onUnreadable: (row: UnreadableRow) => void },
  kind: UnreadableRow['kind'],
  rows: readonly Row[],
  read: (row: Row) => Item,
): Item[] {
  return rows.flatMap((row) => {
    try {
      return [read(row)]
    } catch (error) {
      onUnreadable({ kind, tenantId: row.tenant_id, id: row.id, error })
      return []
    }
  })
}
