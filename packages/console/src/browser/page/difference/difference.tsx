import type { DifferenceJson, ProposalJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useLive } from '../../api/live.ts'
import { recordTexts } from '../../text/record-texts.ts'
import { type Text, useSay } from '../../text/text.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
import { type Field, filledIn } from '../../ui/fields.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { noteOf, optionalEvidenceFields, reasonField } from '../../ui/note-fields.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { Section } from '../../ui/section.tsx'
import { CopyId, Nothing, Time } from '../../ui/values.tsx'
import type { PageProps } from '../page.ts'
import { CaseWork } from '../case/case.tsx'
import { ProposalsAbout } from '../proposal/proposal-table.tsx'
import { RecordLink } from '../record-link.tsx'
import { TenantLink } from '../tenant/tenant-link.tsx'
import { amountOf, Check, DifferenceStatus } from './difference-columns.tsx'
import { differenceActionTexts, differenceTexts } from './difference-texts.ts'
import { type Drift, driftOf } from './drift.ts'

/** One difference: what was expected, what was found, and what has been done about it. */
export function Difference({ title, parameters }: PageProps): VNode {
  const live = useLive<DifferenceJson>(`/differences/${encodeURIComponent(parameters['id'] ?? '')}`)
  const { data } = live
  return (
    <>
      <PageHead title={title} live={live}>
        {data?.status === 'open' && <Actions difference={data} />}
      </PageHead>
      <Loaded live={live}>
        {(difference) => (
          <>
            <div class="section">
              <Facts of={factsOf(difference)} />
            </div>
            <Section heading={recordTexts.detail}>
              <p class="box" lang="en">
                {difference.detail}
              </p>
            </Section>
            <CaseWork id={difference.id} />
            {/* A wallet's row is corrected by proposals about its tenant. */}
            <ProposalsAbout subject={driftOf(difference) ? (difference.tenant_id ?? '') : difference.subject} />
          </>
        )}
      </Loaded>
    </>
  )
}

const timeOr = (at: string | null): VNode => (at === null ? <Nothing /> : <Time at={at} />)

const factsOf = (difference: DifferenceJson): readonly (readonly [Text, VNode | string])[] => [
  [recordTexts.status, <DifferenceStatus key="status" of={difference.status} />],
  [differenceTexts.check, <Check key="check" of={difference.check} />],
  [differenceTexts.kind, <code key="kind">{difference.kind}</code>],
  [differenceTexts.expected, amountOf(difference.expected)],
  [differenceTexts.found, amountOf(difference.found)],
  [recordTexts.tenant, <TenantLink key="tenant" id={difference.tenant_id} />],
  [recordTexts.subject, <RecordLink key="subject" id={difference.subject} />],
  [recordTexts.id, <CopyId key="id" id={difference.id} />],
  [differenceTexts.foundAt, timeOr(difference.found_at)],
  [differenceTexts.lastSeen, timeOr(difference.last_seen_at)],
  [differenceTexts.goneAt, timeOr(difference.gone_at)],
  [differenceTexts.closedAt, timeOr(difference.closed_at)],
  [differenceTexts.closedBy, difference.closed_by ?? <Nothing />],
  [differenceTexts.closeReason, difference.close_reason ?? <Nothing />],
  [
    differenceTexts.correctedBy,
    difference.adjustment_proposal_id === null ? <Nothing /> : <RecordLink id={difference.adjustment_proposal_id} />,
  ],
]

type ActionsProps = { readonly difference: DifferenceJson }

const closeFields: readonly Field[] = [
  reasonField,
  { name: 'adjustment_proposal_id', kind: 'text', label: differenceActionTexts.proposalId, isOptional: true },
]

/** Actions of operators on an open difference. */
function Actions({ difference }: ActionsProps): VNode {
  const say = useSay()
  const drift = driftOf(difference)
  return (
    <>
      {drift && <Book {...{ difference, drift }} />}
      <ActionDialog
        label={say(differenceActionTexts.close)}
        right="operator"
        fields={closeFields}
        change={(values) => ({
          path: `/differences/${difference.id}/close`,
          body: { ...noteOf(values), ...filledIn(values, ['adjustment_proposal_id']) },
        })}
        done={() => say(differenceActionTexts.closed)}
      >
        {say(differenceActionTexts.closeHint)}
      </ActionDialog>
    </>
  )
}

const bookFields = ({ direction, amount }: Drift): readonly Field[] => [
  {
    name: 'direction',
    kind: 'choice',
    label: differenceActionTexts.direction,
    initial: direction,
    options: [
      { value: 'in', label: differenceActionTexts.in },
      { value: 'out', label: differenceActionTexts.out },
    ],
  },
  { name: 'amount', kind: 'amount', label: differenceActionTexts.amount, initial: amount },
  reasonField,
  ...optionalEvidenceFields,
]

function Book({ difference, drift }: ActionsProps & { readonly drift: Drift }): VNode {
  const say = useSay()
  return (
    <ActionDialog<ProposalJson>
      label={say(differenceActionTexts.book)}
      right="operator"
      fields={bookFields(drift)}
      change={(values) => ({
        path: `/tenants/${difference.tenant_id}/adjustments`,
        body: { ...filledIn(values, ['direction', 'amount']), difference_id: difference.id, ...noteOf(values) },
      })}
      done={() => say(recordTexts.proposed)}
    >
      {say(differenceActionTexts.bookHint)}
    </ActionDialog>
  )
}
