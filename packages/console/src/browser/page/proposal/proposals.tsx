import type { ProposalJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay } from '../../text/text.ts'
import type { Filter } from '../../ui/filters.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { optionsOf } from '../../ui/state.tsx'
import type { PageProps } from '../page.ts'
import { proposalColumns } from './proposal-table.tsx'
import { actionTexts, proposalStatusTexts, proposalTexts } from './proposal-texts.ts'
import { Waiting } from './waiting.tsx'
import { tenantFilter } from '../tenant/tenant-filter.tsx'

const filters: readonly Filter[] = [
  { name: 'status', label: recordTexts.status, options: optionsOf(proposalStatusTexts) },
  { name: 'action', label: proposalTexts.action, options: optionsOf(actionTexts) },
  tenantFilter,
  { name: 'subject', label: recordTexts.subject },
]

/** Decisions of two people: first those that wait for this person, then all of it. */
export function Proposals({ title, query }: PageProps): VNode {
  const say = useSay()
  return (
    <ListPage<ProposalJson>
      title={title}
      path="/proposals"
      query={query}
      filters={filters}
      columns={proposalColumns}
      empty={proposalTexts.empty}
    >
      <Waiting />
      <h2 class="section">{say(proposalTexts.all)}</h2>
    </ListPage>
  )
}
