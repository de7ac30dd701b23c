import type { ProposalJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { Link } from '../../route/link.tsx'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay } from '../../text/text.ts'
import type { Column } from '../../ui/data-table.tsx'
import { ListSection } from '../../ui/list-section.tsx'
import { State } from '../../ui/state.tsx'
import { Amount, Nothing, Time } from '../../ui/values.tsx'
import { RecordLink } from '../record-link.tsx'
import { TenantLink } from '../tenant/tenant-link.tsx'
import { directionTexts } from '../tenant/tenant-texts.ts'
import { actionTexts, proposalStatusTexts, proposalTexts } from './proposal-texts.ts'

const tones = {
  open: 'warn',
  approved: 'info',
  executed: 'ok',
  failed: 'bad',
  withdrawn: 'quiet',
  rejected: 'quiet',
  expired: 'quiet',
} as const

export const ProposalStatus = ({ of }: { readonly of: ProposalJson['status'] }): VNode => (
  <State of={of} tones={tones} texts={proposalStatusTexts} />
)

function ProposedAction({ of }: { readonly of: ProposalJson['action'] }): VNode {
  const say = useSay()
  return <>{say(actionTexts[of])}</>
}

function Direction({ of }: { readonly of: 'in' | 'out' }): VNode {
  const say = useSay()
  return <>{say(directionTexts[of])}</>
}

export const proposalColumns: readonly Column<ProposalJson>[] = [
  { head: recordTexts.created, cell: ({ created_at: at }) => <Time at={at} /> },
  {
    head: proposalTexts.action,
    cell: ({ id, action }) => (
      <Link to={`/proposals/${id}`} title={id}>
        <ProposedAction of={action} />
      </Link>
    ),
    isName: true,
  },
  { head: recordTexts.status, cell: ({ status }) => <ProposalStatus of={status} /> },
  {
    head: recordTexts.amount,
    align: 'end',
    cell: ({ details: { amount, direction } }) =>
      amount === undefined ? (
        <Nothing />
      ) : (
        <>
          {direction && (
            <>
              <Direction of={direction} />{' '}
            </>
          )}
          <Amount of={amount} currency="USDT" />
        </>
      ),
  },
  { head: proposalTexts.proposedBy, cell: ({ proposed_by: person }) => person },
  { head: recordTexts.tenant, cell: ({ tenant_id: id }) => <TenantLink id={id} /> },
  {
    head: recordTexts.subject,
    cell: ({ subject, tenant_id: tenant }) => (subject === tenant ? <Nothing /> : <RecordLink id={subject} isShort />),
  },
  { head: recordTexts.reason, align: 'wide', cell: ({ reason }) => reason },
  { head: recordTexts.expires, cell: ({ expires_at: at }) => <Time at={at} /> },
]

/** The proposals about a record. */
export const ProposalsAbout = ({ subject }: { readonly subject: string }): VNode => (
  <ListSection<ProposalJson>
    heading={proposalTexts.about}
    from="/proposals"
    filter={{ subject }}
    all="/proposals"
    columns={proposalColumns}
    empty={proposalTexts.noneAbout}
  />
)
