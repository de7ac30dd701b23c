import type { ProposalJson, ScreeningCaseJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useLive } from '../../api/live.ts'
import { recordTexts } from '../../text/record-texts.ts'
import { type Text, useSay } from '../../text/text.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
import { type Field, filledIn } from '../../ui/fields.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { evidenceFields, noteOf, reasonField } from '../../ui/note-fields.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { CopyId, Nothing, Time } from '../../ui/values.tsx'
import type { PageProps } from '../page.ts'
import { CaseWork } from '../case/case.tsx'
import { ProposalsAbout } from '../proposal/proposal-table.tsx'
import { RecordLink } from '../record-link.tsx'
import { TenantLink } from '../tenant/tenant-link.tsx'
import { CaseStatus, Word } from './screening.tsx'
import { screeningKindTexts, screeningOutcomeTexts, screeningStatusTexts, screeningTexts } from './screening-texts.ts'

/** One case of screening, and the decision about it. */
export function ScreeningCase({ title, parameters }: PageProps): VNode {
  const live = useLive<ScreeningCaseJson>(`/screening-cases/${encodeURIComponent(parameters['id'] ?? '')}`)
  const { data } = live
  return (
    <>
      <PageHead title={title} live={live}>
        {data?.outcome === 'listed' && <Decide of={data} />}
      </PageHead>
      <Loaded live={live}>
        {(found) => (
          <>
            <div class="section">
              <Facts of={factsOf(found)} />
            </div>
            <CaseWork id={found.id} />
            <ProposalsAbout subject={found.id} />
          </>
        )}
      </Loaded>
    </>
  )
}

const idOr = (id: string | null): VNode => (id === null ? <Nothing /> : <RecordLink id={id} />)

const factsOf = (found: ScreeningCaseJson): readonly (readonly [Text, VNode | string])[] => [
  [recordTexts.status, <CaseStatus key="status" of={found.status} />],
  [screeningTexts.kind, <Word key="kind" of={screeningKindTexts[found.kind]} />],
  [screeningTexts.name, found.name],
  [screeningTexts.outcome, <Word key="outcome" of={screeningOutcomeTexts[found.outcome]} />],
  [screeningTexts.list, found.list],
  [screeningTexts.version, found.version === '' ? <Nothing /> : found.version],
  [recordTexts.reason, found.reason],
  [screeningTexts.hits, String(found.hits)],
  [recordTexts.tenant, <TenantLink key="tenant" id={found.tenant_id} />],
  [screeningTexts.reference, idOr(found.reference)],
  [screeningTexts.opened, <Time key="opened" at={found.opened_at} />],
  [screeningTexts.lastHit, <Time key="last" at={found.last_hit_at} />],
  [screeningTexts.decidedAt, found.decided_at === null ? <Nothing /> : <Time at={found.decided_at} />],
  [screeningTexts.decidedBy, found.decided_by ?? <Nothing />],
  [screeningTexts.decision, idOr(found.proposal_id)],
  [recordTexts.id, <CopyId key="id" id={found.id} />],
]

const fieldsFor = ({ status }: ScreeningCaseJson): readonly Field[] => [
  {
    name: 'decision',
    kind: 'choice',
    label: screeningTexts.decision,
    options: (['cleared', 'confirmed'] as const)
      .filter((value) => value !== status)
      .map((value) => ({ value, label: screeningStatusTexts[value] })),
  },
  reasonField,
  ...evidenceFields,
]

function Decide({ of }: { readonly of: ScreeningCaseJson }): VNode {
  const say = useSay()
  return (
    <ActionDialog<ProposalJson>
      label={say(screeningTexts.decide)}
      right="operator"
      fields={fieldsFor(of)}
      change={(values) => ({
        path: `/screening-cases/${of.id}/decide`,
        body: { ...filledIn(values, ['decision']), ...noteOf(values) },
      })}
      done={() => say(recordTexts.proposed)}
    >
      {say(screeningTexts.decideHint)}
    </ActionDialog>
  )
}
