import type { TenantJson } from '@quipu/wire'
import { useEffect } from 'preact/hooks'
import { authorized } from '../../api/session.ts'
import { type Store, store, useStore } from '../../store.ts'

const names: Store<ReadonlyMap<string, string>> = store<ReadonlyMap<string, string>>(new Map())
const asked = new Set<string>()

/** Keeps a name that an answer has shown. */
export function keepTenantName({ id, legal_name: name }: TenantJson): void {
  asked.add(id)
  if (names.get().get(id) !== name) names.set(new Map(names.get()).set(id, name))
}

/** The legal name of a tenant, which is read once; undefined until it is there. */
export function useTenantName(id: string): string | undefined {
  useEffect(() => {
    if (id === '' || asked.has(id)) return
    asked.add(id)
    // Without the name the id is shown.
    authorized<TenantJson>(`/tenants/${encodeURIComponent(id)}`).then(keepTenantName, () => asked.delete(id))
  }, [id])
  return useStore(names).get(id)
}
