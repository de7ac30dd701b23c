import { binaryArray, textArray } from './binary-array.ts'

/**
 * The tenants of a batch as its function takes them: each once and ascending, which is the order in which
 * wallets are locked; and for each item the place of its tenant among them, from 1.
 */
export function batchTenantColumns(tenantIds: readonly string[]): readonly [tenantIds: Buffer, tenantIndexes: Buffer] {
  const tenants = [...new Set(tenantIds)].sort()
  const places = new Map(tenants.map((tenantId, index) => [tenantId, index + 1]))
  return [
    textArray(tenants),
    binaryArray(
      'int4',
      tenantIds.map((tenantId) => places.get(tenantId)),
    ),
  ]
}
