import type { PageJson, TenantJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { RequestFailure } from '../../api/request.ts'
import { authorized } from '../../api/session.ts'
import { withQuery } from '../../route/router.ts'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay } from '../../text/text.ts'
import { type Filter, type FilterFieldProps, useTyped } from '../../ui/filters.tsx'
import { keepTenantName, useTenantName } from './tenant-names.ts'
import { tenantTexts } from './tenant-texts.ts'

/** Narrows a list down to a tenant, by its name or id. */
export const tenantFilter: Filter = { name: 'tenant_id', label: recordTexts.tenant, field: TenantField }

const isId = (text: string): boolean => text === '' || text.startsWith('ten_')

/** Takes an id, or a part of a name: one tenant that fits is chosen, several are offered. */
function TenantField({ value, apply }: FilterFieldProps): VNode {
  const say = useSay()
  const name = useTenantName(value)
  const typed = useTyped(name ?? value)
  const [offered, setOffered] = useState<readonly TenantJson[]>()
  useEffect(() => setOffered(undefined), [value])
  const choose = async (text: string): Promise<void> => {
    if (isId(text)) return apply(text)
    const { data } = await authorized<PageJson<TenantJson>>(withQuery('/tenants', { text, limit: '20' }))
    for (const tenant of data) keepTenantName(tenant)
    const exact = data.filter(({ legal_name: legal }) => legal === text)
    const [only, ...others] = exact.length > 0 ? exact : data
    if (only !== undefined && others.length === 0) apply(only.id)
    else setOffered(data)
  }
  return (
    <>
      <input
        type="search"
        maxLength={200}
        {...typed}
        list="tenants-offered"
        aria-label={say(recordTexts.tenant)}
        placeholder={say(tenantTexts.nameOrId)}
        onChange={({ currentTarget }) =>
          void choose(currentTarget.value.trim()).catch((failure: unknown) => {
            if (!(failure instanceof RequestFailure)) throw failure
            setOffered([])
          })
        }
      />
      <datalist id="tenants-offered">
        {offered?.map(({ id, legal_name: legal }) => (
          <option key={id} value={id}>
            {legal}
          </option>
        ))}
      </datalist>
      {offered && (
        <span class="muted small" role="status">
          {say(tenantTexts.offered, String(offered.length))}
        </span>
      )}
    </>
  )
}
