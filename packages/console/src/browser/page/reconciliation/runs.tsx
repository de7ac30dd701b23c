import type { FaultListJson, ReconciliationRunJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useLive } from '../../api/live.ts'
import { Link } from '../../route/link.tsx'
import { navigate } from '../../route/router.ts'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay } from '../../text/text.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import { type Field, filledIn, type Values } from '../../ui/fields.tsx'
import type { Filter } from '../../ui/filters.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import { optionsOf } from '../../ui/state.tsx'
import type { PageProps } from '../page.ts'
import { runColumns } from './run-columns.tsx'
import { runActionTexts, runStatusTexts, runTexts } from './run-texts.ts'

const checks: readonly { readonly value: string; readonly label: Field['label'] }[] = [
  { value: 'network', label: runActionTexts.network },
  { value: 'chain', label: runActionTexts.chain },
]

const filters: readonly Filter[] = [
  { name: 'check', label: runTexts.check, options: checks },
  { name: 'status', label: recordTexts.status, options: optionsOf(runStatusTexts) },
]

const fields: readonly Field[] = [
  { name: 'check', kind: 'choice', label: runTexts.check, options: checks },
  { name: 'from', kind: 'day', label: runActionTexts.from, hint: runActionTexts.periodHint, isOptional: true },
  { name: 'to', kind: 'day', label: runActionTexts.to, isOptional: true },
]

/** The request of a run; days begin at midnight UTC. */
function requestOf(values: Values): object {
  const { from, to } = filledIn(values, ['from', 'to'])
  return {
    check: values['check'],
    ...(from !== undefined && { from: `${from}T00:00:00Z` }),
    ...(to !== undefined && { to: `${to}T00:00:00Z` }),
  }
}

/** The reconciliation runs, newest first, and whether the ledger is checked on time. */
export function Runs({ title, query }: PageProps): VNode {
  const say = useSay()
  return (
    <ListPage<ReconciliationRunJson>
      title={title}
      path="/reconciliation"
      from="/reconciliation-runs"
      query={query}
      filters={filters}
      columns={runColumns}
      empty={runTexts.empty}
      actions={
        <ActionDialog<ReconciliationRunJson>
          label={say(runActionTexts.request)}
          right="operator"
          fields={fields}
          change={(values) => ({ path: '/reconciliation-runs', body: requestOf(values) })}
          done={() => say(runActionTexts.requested)}
          onDone={({ id }) => navigate(`/reconciliation/${id}`)}
        >
          {say(runActionTexts.requestHint)}
        </ActionDialog>
      }
    >
      <LedgerCheck />
    </ListPage>
  )
}

function LedgerCheck(): VNode {
  const say = useSay()
  const live = useLive<FaultListJson>('/faults')
  return (
    <Section heading={runTexts.ledger}>
      <Loaded live={live}>
        {({ data }) => {
          const late = data.find(({ code }) => code === 'LEDGER_UNCHECKED')
          return (
            <p class={`box ${late ? 'is-bad' : 'is-ok'}`}>
              {say(late ? runTexts.ledgerLate : runTexts.ledgerOn)} {late && <span lang="en">{late.detail}. </span>}
              <Link to="/differences?status=open&check=ledger">{say(runTexts.ledgerDifferences)}</Link>
            </p>
          )
        }}
      </Loaded>
    </Section>
  )
}
