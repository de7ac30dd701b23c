import type { DifferenceJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { recordTexts } from '../../text/record-texts.ts'
import type { Filter } from '../../ui/filters.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { optionsOf } from '../../ui/state.tsx'
import type { PageProps } from '../page.ts'
import { differenceColumns } from './difference-columns.tsx'
import { checkTexts, differenceStatusTexts, differenceTexts } from './difference-texts.ts'
import { tenantFilter } from '../tenant/tenant-filter.tsx'

const filters: readonly Filter[] = [
  { name: 'status', label: recordTexts.status, options: optionsOf(differenceStatusTexts) },
  { name: 'check', label: differenceTexts.check, options: optionsOf(checkTexts) },
  tenantFilter,
  { name: 'subject', label: recordTexts.subject },
]

/** Differences that the checks have found, newest first. */
export function Differences({ title, query }: PageProps): VNode {
  return (
    <ListPage<DifferenceJson>
      title={title}
      path="/differences"
      query={query}
      filters={filters}
      columns={differenceColumns}
      empty={differenceTexts.empty}
    />
  )
}
