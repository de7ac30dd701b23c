import type { ProposalJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useRight, useSession } from '../../session/use-session.ts'
import { useSay } from '../../text/text.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import { proposalActionTexts, proposalStatusTexts } from './proposal-texts.ts'
import { needsAdmin } from './waiting.tsx'

type ProposalActionsProps = { readonly proposal: ProposalJson }

/** Decides on a proposal. */
export function ProposalActions({ proposal }: ProposalActionsProps): VNode | null {
  const say = useSay()
  const { person } = useSession()
  const isAdmin = useRight('admin')
  const isOwn = proposal.proposed_by === person
  const path = `/proposals/${proposal.id}`
  const done = ({ status }: ProposalJson): string => say(proposalActionTexts.done, say(proposalStatusTexts[status]))
  if (proposal.status === 'approved')
    return (
      <ActionDialog<ProposalJson>
        label={say(proposalActionTexts.execute)}
        right="operator"
        change={() => ({ path: `${path}/execute` })}
        done={done}
      >
        {say(proposalActionTexts.executeHint)}
      </ActionDialog>
    )
  if (proposal.status !== 'open') return null
  return (
    <>
      {(isOwn || isAdmin) && (
        <ActionDialog<ProposalJson>
          label={say(proposalActionTexts.withdraw)}
          right="operator"
          change={() => ({ path: `${path}/withdraw` })}
          done={done}
        >
          {say(proposalActionTexts.withdrawHint)}
        </ActionDialog>
      )}
      <ActionDialog<ProposalJson>
        label={say(proposalActionTexts.approve)}
        right={needsAdmin(proposal) ? 'admin' : 'operator'}
        refusal={isOwn ? say(proposalActionTexts.own) : undefined}
        change={() => ({ path: `${path}/approve` })}
        done={done}
      >
        {say(proposalActionTexts.approveHint)}
      </ActionDialog>
    </>
  )
}
