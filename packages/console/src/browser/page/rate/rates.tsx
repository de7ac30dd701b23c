import type { QuotingJson, QuotingReportJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useLive } from '../../api/live.ts'
import { useFormat } from '../../text/format.ts'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay } from '../../text/text.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { noteOf, reasonField } from '../../ui/note-fields.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { Section } from '../../ui/section.tsx'
import { State } from '../../ui/state.tsx'
import { Status } from '../../ui/status.tsx'
import { Amount, Nothing, Time } from '../../ui/values.tsx'
import type { PageProps } from '../page.ts'
import { quotingTexts, rateActionTexts, rateTexts } from './rate-texts.ts'

/** The rate that quotes use, what is behind it, and the switch of quoting. */
export function Rates({ title }: PageProps): VNode {
  const say = useSay()
  const live = useLive<QuotingReportJson>('/rates')
  const { data } = live
  return (
    <>
      <PageHead title={title} live={live}>
        {data && <QuotingAction quoting={data.quoting} />}
      </PageHead>
      <Loaded live={live}>
        {(report) => (
          <>
            <div class="section">
              <RateFacts {...report} />
            </div>
            <Section heading={rateTexts.sources}>
              <DataTable
                caption={say(rateTexts.sources)}
                columns={columns}
                rows={report.sources}
                keyOf={({ name }) => name}
                empty={say(rateTexts.noSource)}
              />
            </Section>
          </>
        )}
      </Loaded>
    </>
  )
}

const tones = { open: 'ok', paused: 'warn' } as const

function RateFacts({ quoting, rate, problem, agreement }: QuotingReportJson): VNode {
  const changed = quoting.changed_at
  return (
    <Facts
      of={[
        [rateTexts.quoting, <State key="quoting" of={quoting.status} tones={tones} texts={quotingTexts} />],
        [rateTexts.rate, rate ? <Amount of={rate.bid} currency="BOB" /> : <NoRate problem={problem} />],
        [rateTexts.source, rate ? rate.source : <Nothing />],
        [rateTexts.observed, rate ? <Time at={rate.observed_at} /> : <Nothing />],
        [rateTexts.spread, <Spread key="spread" of={agreement} />],
        [rateTexts.changedBy, quoting.changed_by ?? <Nothing />],
        [rateTexts.changedAt, changed === null ? <Nothing /> : <Time at={changed} />],
        [recordTexts.reason, quoting.reason ?? <Nothing />],
      ]}
    />
  )
}

function NoRate({ problem }: Pick<QuotingReportJson, 'problem'>): VNode {
  const say = useSay()
  return (
    <>
      <Status tone="bad">{say(rateTexts.noRate)}</Status> <span lang="en">{problem}</span>
    </>
  )
}

function Spread({ of }: { readonly of: QuotingReportJson['agreement'] }): VNode {
  const say = useSay()
  const { count } = useFormat()
  if (of === null) return <span class="muted">{say(rateTexts.alone)}</span>
  const about = { spread: count(of.spread_bps), max: count(of.max_spread_bps) }
  return (
    <>
      {say(rateTexts.basisPoints, about)} {!of.agree && <Status tone="bad">{say(rateTexts.disagree)}</Status>}
    </>
  )
}

type Source = QuotingReportJson['sources'][number]

function Age({ of: seconds }: { readonly of: number | null }): VNode {
  const say = useSay()
  const { duration } = useFormat()
  if (seconds === null) return <Nothing />
  return <>{seconds < 0 ? `${duration(-seconds)} ${say(rateTexts.ahead)}` : duration(seconds)}</>
}

function Usable({ of: { usable } }: { readonly of: Source }): VNode {
  const say = useSay()
  return <Status tone={usable ? 'ok' : 'bad'}>{say(usable ? rateTexts.usable : rateTexts.unusable)}</Status>
}

const columns: readonly Column<Source>[] = [
  { head: rateTexts.source, cell: ({ name }) => name, isName: true },
  { head: recordTexts.status, cell: (source) => <Usable of={source} /> },
  {
    head: rateTexts.bid,
    align: 'end',
    cell: ({ bid }) => (bid === null ? <Nothing /> : <Amount of={bid} currency="BOB" />),
  },
  { head: rateTexts.age, align: 'end', cell: ({ age_seconds: age }) => <Age of={age} /> },
  {
    head: rateTexts.problem,
    align: 'wide',
    cell: ({ problem }) => (problem === null ? <Nothing /> : <span lang="en">{problem}</span>),
  },
]

/** Pauses quoting, or resumes it. */
function QuotingAction({ quoting }: { readonly quoting: QuotingJson }): VNode {
  const say = useSay()
  return quoting.status === 'open' ? (
    <ActionDialog
      key="pause"
      label={say(rateActionTexts.pause)}
      right="operator"
      isDanger
      fields={[reasonField]}
      change={(values) => ({ path: '/rates/pause', body: noteOf(values) })}
      done={() => say(rateActionTexts.paused)}
    >
      {say(rateActionTexts.pauseHint)}
    </ActionDialog>
  ) : (
    <ActionDialog
      key="resume"
      label={say(rateActionTexts.resume)}
      right="operator"
      change={() => ({ path: '/rates/resume' })}
      done={() => say(rateActionTexts.resumed)}
    >
      {say(rateActionTexts.resumeHint)}
    </ActionDialog>
  )
}
