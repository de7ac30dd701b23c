import type { ProposalJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useLive } from '../../api/live.ts'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay } from '../../text/text.ts'
import { Facts } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Section } from '../../ui/section.tsx'
import { CopyId, Nothing, Time } from '../../ui/values.tsx'
import type { PageProps } from '../page.ts'
import { RecordLink } from '../record-link.tsx'
import { TenantLink } from '../tenant/tenant-link.tsx'
import { ProposalActions } from './proposal-actions.tsx'
import { detailFacts } from './proposal-details.tsx'
import { ProposalStatus } from './proposal-table.tsx'
import { actionTexts, proposalTexts } from './proposal-texts.ts'

/** One proposal: what it does, why, and who has decided what. */
export function Proposal({ title, parameters }: PageProps): VNode {
  const say = useSay()
  const id = encodeURIComponent(parameters['id'] ?? '')
  const live = useLive<ProposalJson>(`/proposals/${id}`)
  const { data } = live
  return (
    <>
      <PageHead title={data ? `${title}: ${say(actionTexts[data.action])}` : title} live={live}>
        {data && <ProposalActions proposal={data} />}
      </PageHead>
      <Loaded live={live}>{(proposal) => <Parts {...proposal} />}</Loaded>
    </>
  )
}

const at = (instant: string | null): VNode => (instant === null ? <Nothing /> : <Time at={instant} />)

function Parts(proposal: ProposalJson): VNode {
  const { evidence, failure } = proposal
  return (
    <>
      <div class="section">
        <Facts
          of={[
            [recordTexts.status, <ProposalStatus key="status" of={proposal.status} />],
            [recordTexts.id, <CopyId key="id" id={proposal.id} />],
            [recordTexts.tenant, <TenantLink key="tenant" id={proposal.tenant_id} />],
            [recordTexts.subject, <RecordLink key="subject" id={proposal.subject} />],
            [proposalTexts.proposedBy, proposal.proposed_by],
            [recordTexts.created, at(proposal.created_at)],
            [recordTexts.expires, at(proposal.expires_at)],
            [proposalTexts.approvedBy, proposal.approved_by ?? <Nothing />],
            [proposalTexts.approvedAt, at(proposal.approved_at)],
            [proposalTexts.executedAt, at(proposal.executed_at)],
            [proposalTexts.withdrawnBy, proposal.withdrawn_by ?? <Nothing />],
            [proposalTexts.rejectedBy, proposal.rejected_by ?? <Nothing />],
            [proposalTexts.rejected, at(proposal.rejected_at)],
            [proposalTexts.rejection, proposal.reject_reason ?? <Nothing />],
            [proposalTexts.failure, failure === null ? <Nothing /> : <code>{failure}</code>],
          ]}
        />
      </div>
      <Section heading={proposalTexts.details}>
        <Facts of={detailFacts(proposal)} />
      </Section>
      <Section heading={recordTexts.reason}>
        <p class="box">{proposal.reason}</p>
      </Section>
      <Section heading={proposalTexts.evidence}>
        <Facts
          of={[
            [proposalTexts.evidence, evidence?.note ?? <Nothing />],
            [proposalTexts.digest, evidence ? <CopyId id={evidence.digest} /> : <Nothing />],
          ]}
        />
      </Section>
    </>
  )
}
