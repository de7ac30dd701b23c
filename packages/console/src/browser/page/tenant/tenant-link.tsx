import type { VNode } from 'preact'
import { Link } from '../../route/link.tsx'
import { Nothing, ShortId } from '../../ui/values.tsx'
import { useTenantName } from './tenant-names.ts'

/** A tenant by its name. @param props.id  null: of no tenant */
export function TenantLink({ id }: { readonly id: string | null }): VNode {
  return id === null ? <Nothing /> : <Named id={id} />
}

function Named({ id }: { readonly id: string }): VNode {
  const name = useTenantName(id)
  return (
    <Link to={`/tenants/${encodeURIComponent(id)}`} title={id}>
      {name ?? <ShortId id={id} />}
    </Link>
  )
}
