import type { OverviewStore, RecordType } from '@quipu/core/operator'
import { parseUuid } from '@quipu/wire'

/** The record of this kind and its tenant; undefined for any other text. Tenants' stores read with both. */
export async function findByUuid(
  overview: Pick<OverviewStore, 'find'>,
  wanted: RecordType,
  text: string,
): Promise<{ readonly id: string; readonly tenantId: string } | undefined> {
  const id = parseUuid(text)
  const found = id === undefined ? [] : await overview.find(id)
  const tenantId = found.find(({ type }) => type === wanted)?.tenantId
  return id === undefined || tenantId === undefined || tenantId === null ? undefined : { id, tenantId }
}
