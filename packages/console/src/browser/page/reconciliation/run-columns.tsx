import type { ReconciliationRunJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { Link } from '../../route/link.tsx'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay } from '../../text/text.ts'
import type { Column } from '../../ui/data-table.tsx'
import { State } from '../../ui/state.tsx'
import { Time } from '../../ui/values.tsx'
import { checkTexts } from '../difference/difference-texts.ts'
import { runStatusTexts, runTexts } from './run-texts.ts'

type Run = ReconciliationRunJson
type RunProps = { readonly of: Run }

const tones = { running: 'info', completed: 'ok' } as const

export const RunStatus = ({ of: { status } }: RunProps): VNode => (
  <State of={status} tones={tones} texts={runStatusTexts} />
)

export function RunPeriod({ of: { from, to } }: RunProps): VNode {
  const say = useSay()
  if (from === null || to === null) return <span class="muted">{say(runTexts.present)}</span>
  return (
    <>
      <Time at={from} /> – <Time at={to} />
    </>
  )
}

/** Who has requested it; nobody requests daily runs. */
export function Requester({ of }: RunProps): VNode {
  const say = useSay()
  return <>{of.requested_by ?? say(runTexts.daily, of.scheduled_for ?? '')}</>
}

const share = (from: string, to: string, reached: string): number => {
  const [begin, end, at] = [from, to, reached].map((instant) => Date.parse(instant))
  if (begin === undefined || end === undefined || at === undefined) return 0
  return end > begin ? Math.min(1, (at - begin) / (end - begin)) : 1
}

/** How far it has got. */
export function Progress({ of: { from, to, reached, status } }: RunProps): VNode {
  const say = useSay()
  if (from === null || to === null) return <>{say(runTexts.address, reached)}</>
  const done = status === 'completed' ? 1 : share(from, to, reached)
  return <progress aria-label={say(runTexts.progress)} value={done} max={1} />
}

function Name({ of: { id, check } }: RunProps): VNode {
  const say = useSay()
  return (
    <Link to={`/reconciliation/${id}`} title={id}>
      {say(checkTexts[check])}
    </Link>
  )
}

export const runColumns: readonly Column<Run>[] = [
  { head: recordTexts.created, cell: ({ created_at: at }) => <Time at={at} /> },
  { head: runTexts.check, cell: (run) => <Name of={run} />, isName: true },
  { head: recordTexts.status, cell: (run) => <RunStatus of={run} /> },
  { head: runTexts.period, cell: (run) => <RunPeriod of={run} /> },
  { head: runTexts.progress, cell: (run) => <Progress of={run} /> },
  { head: runTexts.compared, align: 'end', cell: ({ compared }) => compared },
  { head: runTexts.differences, align: 'end', cell: ({ differences }) => differences },
  { head: runTexts.requestedBy, cell: (run) => <Requester of={run} /> },
]
