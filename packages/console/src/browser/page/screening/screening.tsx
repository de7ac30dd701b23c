import type { ScreeningCaseJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { Link } from '../../route/link.tsx'
import { recordTexts } from '../../text/record-texts.ts'
import { type Text, useSay } from '../../text/text.ts'
import type { Column } from '../../ui/data-table.tsx'
import type { Filter } from '../../ui/filters.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { optionsOf, State } from '../../ui/state.tsx'
import { Time } from '../../ui/values.tsx'
import { takenByColumn } from '../case/case.tsx'
import type { PageProps } from '../page.ts'
import { tenantFilter } from '../tenant/tenant-filter.tsx'
import { TenantLink } from '../tenant/tenant-link.tsx'
import { screeningKindTexts, screeningOutcomeTexts, screeningStatusTexts, screeningTexts } from './screening-texts.ts'

const tones = { open: 'bad', confirmed: 'warn', cleared: 'ok', answered: 'quiet' } as const

export const CaseStatus = ({ of }: { readonly of: ScreeningCaseJson['status'] }): VNode => (
  <State of={of} tones={tones} texts={screeningStatusTexts} />
)

export function Word({ of }: { readonly of: Text }): VNode {
  const say = useSay()
  return <>{say(of)}</>
}

const columns: readonly Column<ScreeningCaseJson>[] = [
  { head: screeningTexts.lastHit, cell: ({ last_hit_at: at }) => <Time at={at} /> },
  {
    head: screeningTexts.name,
    cell: ({ id, name }) => (
      <Link to={`/screening/${id}`} title={id}>
        {name}
      </Link>
    ),
    isName: true,
  },
  { head: recordTexts.status, cell: ({ status }) => <CaseStatus of={status} /> },
  takenByColumn,
  { head: screeningTexts.kind, cell: ({ kind }) => <Word of={screeningKindTexts[kind]} /> },
  { head: screeningTexts.outcome, cell: ({ outcome }) => <Word of={screeningOutcomeTexts[outcome]} /> },
  { head: screeningTexts.list, cell: ({ list }) => list },
  { head: screeningTexts.hits, align: 'end', cell: ({ hits }) => String(hits) },
  { head: recordTexts.tenant, cell: ({ tenant_id: id }) => <TenantLink id={id} /> },
]

const filters: readonly Filter[] = [
  { name: 'status', label: recordTexts.status, options: optionsOf(screeningStatusTexts) },
  { name: 'kind', label: screeningTexts.kind, options: optionsOf(screeningKindTexts) },
  tenantFilter,
]

/** Cases of screening, newest first. */
export function ScreeningCases({ title, query }: PageProps): VNode {
  return (
    <ListPage<ScreeningCaseJson>
      title={title}
      path="/screening"
      from="/screening-cases"
      query={query}
      filters={filters}
      columns={columns}
      empty={screeningTexts.empty}
    />
  )
}
