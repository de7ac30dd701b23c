import type { ProposalJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useRight, useSession } from '../../session/use-session.ts'
import { useSay } from '../../text/text.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import { noteOf, reasonField } from '../../ui/note-fields.ts'
import { ProposedEffect } from './proposal-details.tsx'
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
  const right = needsAdmin(proposal) ? 'admin' : 'operator'
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
      {!isOwn && (
        <ActionDialog<ProposalJson>
          label={say(proposalActionTexts.reject)}
          right={right}
          isDanger
          fields={[reasonField]}
          change={(values) => ({ path: `${path}/reject`, body: noteOf(values) })}
          done={done}
        >
          <p>{say(proposalActionTexts.rejectHint)}</p>
          <ProposedEffect proposal={proposal} />
        </ActionDialog>
      )}
      <ActionDialog<ProposalJson>
        label={say(proposalActionTexts.approve)}
        right={right}
        refusal={isOwn ? say(proposalActionTexts.own) : undefined}
        change={() => ({ path: `${path}/approve` })}
        done={done}
      >
        <p>{say(proposalActionTexts.approveHint)}</p>
        <ProposedEffect proposal={proposal} />
      </ActionDialog>
    </>
  )
}
