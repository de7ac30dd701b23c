import type { AuditEntryJson, AuditVerificationJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay } from '../../text/text.ts'
import type { Column } from '../../ui/data-table.tsx'
import { type Filter, periodFilters } from '../../ui/filters.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { Nothing, Time } from '../../ui/values.tsx'
import type { PageProps } from '../page.ts'
import { RecordLink } from '../record-link.tsx'
import { TenantLink } from '../tenant/tenant-link.tsx'
import { auditTexts } from './audit-texts.ts'
import { tenantFilter } from '../tenant/tenant-filter.tsx'
import { useState } from 'preact/hooks'
import { RequestFailure } from '../../api/request.ts'
import { withQuery } from '../../route/router.ts'
import { authorized } from '../../api/session.ts'
import { failureText } from '../../ui/loaded.tsx'

const filters: readonly Filter[] = [
  { name: 'actor', label: auditTexts.actor },
  { name: 'action', label: auditTexts.action },
  { name: 'subject', label: recordTexts.subject },
  tenantFilter,
  ...periodFilters,
]

const columns: readonly Column<AuditEntryJson>[] = [
  { head: recordTexts.at, cell: ({ at }) => <Time at={at} /> },
  { head: auditTexts.entry, align: 'end', cell: ({ id }) => id, isName: true },
  { head: auditTexts.actor, cell: ({ actor }) => <Actor of={actor} /> },
  { head: auditTexts.action, cell: ({ action }) => <code>{action}</code> },
  { head: recordTexts.subject, cell: ({ subject }) => <RecordLink id={subject} isShort /> },
  { head: recordTexts.tenant, cell: ({ tenant_id: id }) => <TenantLink id={id} /> },
  { head: auditTexts.change, cell: (entry) => <Change of={entry} /> },
]

function Actor({ of }: { readonly of: string | null }): VNode {
  const say = useSay()
  return of === null ? <span class="muted">{say(auditTexts.system)}</span> : <>{of}</>
}

function Change({ of: { before, after, hash } }: { readonly of: AuditEntryJson }): VNode {
  const say = useSay()
  return (
    <details>
      <summary>{say(auditTexts.show)}</summary>
      <dl class="change">
        <dt>{say(auditTexts.before)}</dt>
        <dd>{json(before)}</dd>
        <dt>{say(auditTexts.after)}</dt>
        <dd>{json(after)}</dd>
        <dt>{say(auditTexts.hash)}</dt>
        <dd>
          <code>{hash}</code>
        </dd>
      </dl>
    </details>
  )
}

const json = (state: AuditEntryJson['before']): VNode =>
  state === null ? <Nothing /> : <pre class="json">{JSON.stringify(state, null, 2)}</pre>

/** Actions of people and processes, newest first, and whether the log is intact. */
export function Audit({ title, query }: PageProps): VNode {
  return (
    <ListPage<AuditEntryJson>
      title={title}
      path="/audit"
      from="/audit-log"
      query={query}
      filters={filters}
      columns={columns}
      empty={auditTexts.empty}
    >
      <Verification />
    </ListPage>
  )
}

type Progress =
  | { readonly is: 'none' }
  | { readonly is: 'running' | 'done'; readonly result: AuditVerificationJson | undefined }
  | { readonly is: 'failed'; readonly failure: RequestFailure }

/** Recomputes the hashes of the whole log, request by request. */
function Verification(): VNode {
  const say = useSay()
  const [progress, setProgress] = useState<Progress>({ is: 'none' })
  const verify = async (): Promise<void> => {
    let result: AuditVerificationJson | undefined
    setProgress({ is: 'running', result })
    try {
      do {
        const after = result?.resume_after ?? undefined
        result = await authorized<AuditVerificationJson>(withQuery('/audit-log/verification', { after }))
        setProgress({ is: result.resume_after === null ? 'done' : 'running', result })
      } while (result.resume_after !== null)
    } catch (failure) {
      if (!(failure instanceof RequestFailure)) throw failure
      setProgress({ is: 'failed', failure })
    }
  }
  return (
    <div class="section verification">
      <button type="button" onClick={() => void verify()} disabled={progress.is === 'running'}>
        {say(auditTexts.verify)}
      </button>
      <div role="status">
        <Result progress={progress} />
      </div>
    </div>
  )
}

function Result({ progress }: { readonly progress: Progress }): VNode | null {
  const say = useSay()
  if (progress.is === 'none') return null
  if (progress.is === 'failed') return <p class="box is-bad">{failureText(say, progress.failure)}</p>
  const { result } = progress
  const entry = result?.verified.id ?? '0'
  if (result?.flaw)
    return (
      <p class="box is-bad">
        {say(auditTexts.flawed, result.flaw.id)} <span lang="en">{result.flaw.detail}</span>
      </p>
    )
  return progress.is === 'done' ? (
    <p class="box is-ok">{say(auditTexts.intact, entry)}</p>
  ) : (
    <p class="muted">{say(auditTexts.verifying, entry)}</p>
  )
}
