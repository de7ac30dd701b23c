import type { PlannedSweepJson, SweepBatchSummaryJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { Link } from '../../route/link.tsx'
import { navigate } from '../../route/router.ts'
import { useSay } from '../../text/text.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import type { Field } from '../../ui/fields.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import type { PageProps } from '../page.ts'
import { batchColumns } from './sweep-columns.tsx'
import { skipReasonTexts, sweepActionTexts, sweepTexts } from './sweep-texts.ts'

/** The batches of sweeps to the treasury, newest first. */
export function Sweeps({ title, query }: PageProps): VNode {
  const say = useSay()
  return (
    <ListPage<SweepBatchSummaryJson>
      title={title}
      path="/sweeps"
      from="/sweep/batches"
      query={query}
      columns={batchColumns}
      empty={sweepTexts.empty}
      actions={<Plan />}
    >
      <p class="links">
        <Link to="/sweeps/addresses">{say(sweepTexts.toAddresses)}</Link>
      </p>
    </ListPage>
  )
}

const fields: readonly Field[] = [
  { name: 'threshold', kind: 'amount', label: sweepActionTexts.amount, hint: sweepActionTexts.thresholdHint },
  { name: 'limit', kind: 'count', label: sweepActionTexts.limit, isOptional: true },
]

function Plan(): VNode {
  const say = useSay()
  const planned = ({ batch: { transfers }, skipped }: PlannedSweepJson): string => {
    const done = say(sweepActionTexts.planned, String(transfers.length))
    if (skipped.length === 0) return done
    const left = skipped.map(({ address, reason }) => `${address} (${say(skipReasonTexts[reason])})`)
    return `${done} ${say(sweepActionTexts.skipped, left.join(', '))}`
  }
  return (
    <ActionDialog<PlannedSweepJson>
      label={say(sweepActionTexts.plan)}
      right="admin"
      fields={fields}
      change={({ threshold, limit }) => ({
        path: '/sweep/batches',
        body: { threshold, ...(limit !== '' && { limit: Number(limit) }) },
      })}
      done={planned}
      onDone={({ batch }) => navigate(`/sweeps/${batch.id}`)}
    >
      {say(sweepActionTexts.planHint)}
    </ActionDialog>
  )
}
