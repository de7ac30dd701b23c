import type { VNode } from 'preact'
import type { FoundRecordsJson } from '@quipu/wire'
import { useLive } from '../../api/live.ts'
import { Link } from '../../route/link.tsx'
import { withQuery } from '../../route/router.ts'
import { useSay } from '../../text/text.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import type { PageProps } from '../page.ts'
import { placeOf } from '../record-place.ts'
import { TenantLink } from '../tenant/tenant-link.tsx'
import { ExplainedTransaction } from './explained-transaction.tsx'
import { useFoundSecret } from './found-secret.ts'
import { searchTexts } from './search-texts.ts'

type Found = FoundRecordsJson['data'][number]

const columns: readonly Column<Found>[] = [
  { head: searchTexts.kind, cell: ({ type }) => type },
  {
    head: searchTexts.id,
    cell: (found) => {
      const to = placeOf(found)
      const id = <code>{found.id}</code>
      return to === undefined ? id : <Link to={to}>{id}</Link>
    },
    isName: true,
  },
  { head: searchTexts.summary, cell: ({ summary }) => summary },
  { head: searchTexts.tenant, cell: ({ tenant_id: id }) => <TenantLink id={id} /> },
]

/** Finds any record by its id or another name of it. */
export function Search({ title, query }: PageProps): VNode {
  const say = useSay()
  const text = query.get('q') ?? ''
  const hash = query.get('hash') ?? ''
  const byId = useLive<FoundRecordsJson>(text === '' ? undefined : withQuery('/search', { q: text }))
  const byHash = useFoundSecret(hash)
  const live = hash === '' ? byId : byHash
  const shown = hash === '' ? text : hash
  return (
    <>
      <PageHead title={title} />
      <p class="muted">{say(searchTexts.hint)}</p>
      {shown !== '' && (
        <section>
          <h2>{say(searchTexts.resultsFor, shown)}</h2>
          <Loaded live={live}>
            {({ data }) => (
              <DataTable
                caption={title}
                columns={columns}
                rows={data}
                keyOf={({ type, id }) => `${type} ${id}`}
                empty={say(searchTexts.empty)}
              />
            )}
          </Loaded>
        </section>
      )}
      {/^[0-9a-f]{64}$/i.test(text) && <ExplainedTransaction hash={text.toLowerCase()} />}
    </>
  )
}
