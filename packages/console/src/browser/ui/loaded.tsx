import type { ComponentChildren, VNode } from 'preact'
import type { Live } from '../api/live.ts'
import type { RequestFailure } from '../api/request.ts'
import { generalTexts } from '../text/general-texts.ts'
import { type Say, useSay } from '../text/text.ts'

type LoadedProps<T> = { readonly live: Live<T>; readonly children: (data: T) => ComponentChildren }

/** Shows an answer once it is there; before it, that it loads, or why it cannot. */
export function Loaded<T>({ live, children }: LoadedProps<T>): VNode {
  const say = useSay()
  const { data, failure, reload } = live
  if (data !== undefined) return <>{children(data)}</>
  if (!failure) return <p class="muted loading">{say(generalTexts.loading)}</p>
  return (
    <div class="box is-bad" role="alert">
      <p>{failureText(say, failure)}</p>
      <button type="button" onClick={reload}>
        {say(generalTexts.retry)}
      </button>
    </div>
  )
}

/** The text about a request that failed. The API's own words are English. */
export function failureText(say: Say, { status, code, message }: RequestFailure): string {
  if (status === 0) return say(generalTexts.unreachable)
  return message === '' ? say(generalTexts.requestFailed, code ?? String(status)) : `${message} (${code ?? status})`
}
