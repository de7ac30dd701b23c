import type { PageJson, ProposalJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { type Live, useLive } from '../../api/live.ts'
import { useSession } from '../../session/use-session.ts'
import { useSay } from '../../text/text.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import { proposalColumns } from './proposal-table.tsx'
import { proposalTexts } from './proposal-texts.ts'

/** Only an admin approves these. */
const adminActions: readonly ProposalJson['action'][] = [
  'issue_operator_token',
  'issue_api_key',
  'change_limits',
  'decide_screening',
  'change_pricing',
]

export const needsAdmin = ({ action }: ProposalJson): boolean => adminActions.includes(action)

/** The newest open proposals that this person may approve. */
function useWaiting(): Live<readonly ProposalJson[]> {
  const { person, rights } = useSession()
  const live = useLive<PageJson<ProposalJson>>('/proposals?status=open&limit=100')
  const waiting = live.data?.data.filter(
    (proposal) => proposal.proposed_by !== person && rights.includes(needsAdmin(proposal) ? 'admin' : 'operator'),
  )
  return { ...live, data: waiting }
}

/** The open proposals that this person may approve. */
export function Waiting(): VNode {
  const say = useSay()
  const live = useWaiting()
  return (
    <Section heading={proposalTexts.waiting} hint={proposalTexts.waitingHint}>
      <Loaded live={live}>
        {(waiting) => (
          <DataTable
            caption={say(proposalTexts.waiting)}
            columns={proposalColumns}
            rows={waiting}
            keyOf={({ id }) => id}
            empty={say(proposalTexts.noneWaiting)}
          />
        )}
      </Loaded>
    </Section>
  )
}

/** How many proposals wait for this person, beside the navigation's entry. */
export function WaitingCount(): VNode | null {
  const say = useSay()
  const { data = [] } = useWaiting()
  if (data.length === 0) return null
  return (
    <span class="count">
      <span aria-hidden="true">{data.length}</span>
      <span class="hidden">{say(proposalTexts.count, String(data.length))}</span>
    </span>
  )
}
