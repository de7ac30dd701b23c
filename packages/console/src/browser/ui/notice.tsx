import type { VNode } from 'preact'
import { type Store, store, useStore } from '../store.ts'

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'quiet'

type Notice = { readonly id: number; readonly text: string; readonly tone: Tone }

const notices: Store<readonly Notice[]> = store<readonly Notice[]>([])
const shownMs = 8_000
let last = 0

/** Says for a few seconds what an action did. */
export function notify(text: string, tone: Tone = 'ok'): void {
  const id = ++last
  notices.set([...notices.get(), { id, text, tone }])
  setTimeout(() => notices.set(notices.get().filter((notice) => notice.id !== id)), shownMs)
}

/** The place of notices. Screen readers read new ones. */
export function Notices(): VNode {
  return (
    <div class="notices" role="status">
      {useStore(notices).map(({ id, text, tone }) => (
        <p key={id} class={`notice is-${tone}`}>
          {text}
        </p>
      ))}
    </div>
  )
}
