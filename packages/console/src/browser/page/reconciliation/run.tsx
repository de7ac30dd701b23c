import type { ReconciliationRunJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useLive } from '../../api/live.ts'
import { Link } from '../../route/link.tsx'
import { withQuery } from '../../route/router.ts'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay } from '../../text/text.ts'
import { Facts } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { CopyId, Nothing, Time } from '../../ui/values.tsx'
import { Check } from '../difference/difference-columns.tsx'
import type { PageProps } from '../page.ts'
import { Progress, Requester, RunPeriod, RunStatus } from './run-columns.tsx'
import { runTexts } from './run-texts.ts'

/** One run and its progress. */
export function Run({ title, parameters }: PageProps): VNode {
  const live = useLive<ReconciliationRunJson>(`/reconciliation-runs/${encodeURIComponent(parameters['id'] ?? '')}`)
  return (
    <>
      <PageHead title={title} live={live} />
      <Loaded live={live}>{(run) => <Parts run={run} />}</Loaded>
    </>
  )
}

function Parts({ run }: { readonly run: ReconciliationRunJson }): VNode {
  const say = useSay()
  const { completed_at: completed, failure } = run
  return (
    <div class="section">
      {failure !== null && (
        <p class="box is-bad">
          {say(runTexts.failure)}: <span lang="en">{failure}</span>
        </p>
      )}
      <Facts
        of={[
          [recordTexts.status, <RunStatus key="status" of={run} />],
          [runTexts.check, <Check key="check" of={run.check} />],
          [runTexts.period, <RunPeriod key="period" of={run} />],
          [runTexts.progress, <Progress key="progress" of={run} />],
          [runTexts.reached, run.from === null ? run.reached : <Time at={run.reached} />],
          [runTexts.slices, run.slices],
          [runTexts.compared, run.compared],
          [runTexts.differences, run.differences],
          [runTexts.requestedBy, <Requester key="by" of={run} />],
          [recordTexts.id, <CopyId key="id" id={run.id} />],
          [recordTexts.created, <Time key="created" at={run.created_at} />],
          [runTexts.completed, completed === null ? <Nothing /> : <Time at={completed} />],
        ]}
      />
      <p class="pager">
        <Link to={withQuery('/differences', { check: run.check })}>{say(runTexts.list)}</Link>
      </p>
    </div>
  )
}
