import type { CaseWorkJson, PageJson, TakenCaseJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { useLive } from '../../api/live.ts'
import { authorized } from '../../api/session.ts'
import { useRight, useSession } from '../../session/use-session.ts'
import { type Store, store, useStore } from '../../store.ts'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay } from '../../text/text.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import { Nothing, Time } from '../../ui/values.tsx'
import { caseTexts } from './case-texts.ts'

type Note = CaseWorkJson['notes'][number]

const columns: readonly Column<Note>[] = [
  { head: recordTexts.created, cell: ({ created_at: at }) => <Time at={at} />, isName: true },
  { head: recordTexts.person, cell: ({ person }) => person },
  { head: caseTexts.note, align: 'wide', cell: ({ note }) => note },
]

/** Who works on a record, and the notes about it. */
export function CaseWork({ id }: { readonly id: string }): VNode {
  const say = useSay()
  const path = `/cases/${encodeURIComponent(id)}`
  const live = useLive<CaseWorkJson>(path)
  return (
    <Section heading={caseTexts.heading} actions={live.data && <Actions work={live.data} path={path} />}>
      <Loaded live={live}>
        {({ taken_by: person, notes }) => (
          <>
            <p class="muted lead">
              {say(caseTexts.takenBy)}: {person ?? say(caseTexts.nobody)}
            </p>
            <DataTable
              caption={say(caseTexts.heading)}
              columns={columns}
              rows={notes}
              keyOf={(note) => note.id}
              empty={say(caseTexts.empty)}
            />
          </>
        )}
      </Loaded>
    </Section>
  )
}

function Actions({ work, path }: { readonly work: CaseWorkJson; readonly path: string }): VNode {
  const say = useSay()
  const { person } = useSession()
  const isAdmin = useRight('admin')
  const isReleasable = work.taken_by !== null && (work.taken_by === person || isAdmin)
  return (
    <>
      {work.taken_by === null && (
        <ActionDialog
          label={say(caseTexts.take)}
          right="operator"
          change={() => ({ path: `${path}/take` })}
          done={() => say(caseTexts.taken)}
        >
          {say(caseTexts.takeHint)}
        </ActionDialog>
      )}
      {isReleasable && (
        <ActionDialog
          label={say(caseTexts.release)}
          right="operator"
          change={() => ({ path: `${path}/release` })}
          done={() => say(caseTexts.released)}
        >
          {say(caseTexts.releaseHint)}
        </ActionDialog>
      )}
      <ActionDialog
        label={say(caseTexts.add)}
        right="operator"
        fields={[{ name: 'note', kind: 'long', maxLength: 2_000, label: caseTexts.note }]}
        change={({ note = '' }) => ({ path: `${path}/notes`, body: { note } })}
        done={() => say(caseTexts.added)}
      >
        {say(caseTexts.addHint)}
      </ActionDialog>
    </>
  )
}

const takers: Store<ReadonlyMap<string, string>> = store<ReadonlyMap<string, string>>(new Map())
const refreshMs = 8_000
let readAt = -Infinity

/** Reads who has taken what, once for all rows. */
function readTakers(): void {
  if (performance.now() - readAt < refreshMs) return
  readAt = performance.now()
  const keep = ({ data }: PageJson<TakenCaseJson>): void =>
    takers.set(new Map(data.map(({ id, taken_by: person }) => [id, person])))
  authorized<PageJson<TakenCaseJson>>('/cases?limit=100').then(keep, () => undefined) // The next one says why.
}

/** Who has taken the record of a row. */
function Taker({ id }: { readonly id: string }): VNode {
  useEffect(readTakers)
  return <>{useStore(takers).get(id) ?? <Nothing />}</>
}

/** The column of lists whose records people take. */
export const takenByColumn: Column<{ readonly id: string }> = {
  head: caseTexts.takenBy,
  cell: ({ id }) => <Taker id={id} />,
}
