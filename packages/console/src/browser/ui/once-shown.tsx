import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { generalTexts } from '../text/general-texts.ts'
import { useSay } from '../text/text.ts'
import { CopyId } from './values.tsx'

type OnceShownProps = {
  readonly heading: string
  /** The API answers it once; the page forgets it when it is closed. */
  readonly secret: string
  /** Its use, and the next step. */
  readonly children: ComponentChildren
  readonly onClose: () => void
}

const stored = 'stored'

/** Shows a secret that nobody can read again, until the person says that it is stored. */
export function OnceShown({ heading, secret, children, onClose }: OnceShownProps): VNode {
  const say = useSay()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  // Only the button ends it: a browser closes a dialog by Escape even where the page cancels that.
  const closed = (): void => {
    if (dialog.current?.returnValue === stored) onClose()
    else dialog.current?.showModal()
  }
  return (
    <dialog ref={dialog} aria-label={heading} onCancel={(event) => event.preventDefault()} onClose={closed}>
      <form method="dialog">
        <h2>{heading}</h2>
        <div class="box is-warn">{children}</div>
        <p class="secret">
          <CopyId id={secret} />
        </p>
        <div class="buttons">
          <button type="submit" value={stored} class="primary">
            {say(generalTexts.stored)}
          </button>
        </div>
      </form>
    </dialog>
  )
}
