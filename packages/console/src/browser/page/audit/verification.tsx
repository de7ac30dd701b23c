import type { AuditVerificationJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { RequestFailure } from '../../api/request.ts'
import { withQuery } from '../../route/router.ts'
import { authorized } from '../../api/session.ts'
import { useSay } from '../../text/text.ts'
import { failureText } from '../../ui/loaded.tsx'
import { auditTexts } from './audit-texts.ts'

type Progress =
  | { readonly is: 'none' }
  | { readonly is: 'running' | 'done'; readonly result: AuditVerificationJson | undefined }
  | { readonly is: 'failed'; readonly failure: RequestFailure }

/** Recomputes the hashes of the whole log, request by request. */
export function Verification(): VNode {
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
