import type { ComponentChildren, VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { type Change, useAction } from '../api/action.ts'
import { type Right, useRight } from '../session/use-session.ts'
import { generalTexts } from '../text/general-texts.ts'
import { useSay } from '../text/text.ts'
import { type Field, Fields, type Values } from './fields.tsx'
import { failureText } from './loaded.tsx'
import { notify } from './notice.tsx'

type ActionDialogProps<T> = {
  /** Of the button that opens the dialog, and of the one that sends. */
  readonly label: string
  /** The role that may do it. Others see the button disabled, with the reason. */
  readonly right: Right
  readonly isDanger?: boolean
  /** What happens, and what follows. */
  readonly children: ComponentChildren
  readonly fields?: readonly Field[]
  readonly change: (values: Values) => Change
  /** What to say when it is done. */
  readonly done: (answer: T) => string
  readonly onDone: (answer: T) => void
}

/** A button that asks before it changes something, for what the change needs. */
export function ActionDialog<T>(props: ActionDialogProps<T>): VNode {
  const { label, right, isDanger = false } = props
  const say = useSay()
  const isAllowed = useRight(right)
  const dialog = useRef<HTMLDialogElement>(null)
  const [opened, setOpened] = useState(0)
  if (!isAllowed)
    return (
      <span class="refused">
        <button type="button" disabled>
          {label}
        </button>
        <span class="muted small">{say(generalTexts.needsRole, right)}</span>
      </span>
    )
  const open = (): void => {
    setOpened(opened + 1)
    dialog.current?.showModal()
  }
  return (
    <>
      <button type="button" class={isDanger ? 'danger' : ''} onClick={open}>
        {label}
      </button>
      <dialog ref={dialog} aria-label={label}>
        {opened > 0 && <DialogForm key={opened} {...props} close={() => dialog.current?.close()} />}
      </dialog>
    </>
  )
}

function DialogForm<T>(props: ActionDialogProps<T> & { readonly close: () => void }): VNode {
  const { label, isDanger = false, fields = [], children, close } = props
  const say = useSay()
  const { isSending, failure, send } = useAction()
  const form = useRef<HTMLFormElement>(null)

  const submit = async (): Promise<void> => {
    if (!form.current) return
    const values = Object.fromEntries(
      [...new FormData(form.current)].map(([name, value]) => [
        name,
        typeof value === 'string' ? value : '',
      ]),
    )
    await send<T>(props.change(values), (answer) => {
      close()
      notify(props.done(answer))
      props.onDone(answer)
    })
  }
  const issues = failure?.issues ?? []
  const shown = new Set(fields.map(({ name }) => name))
  const isShownAtFields = issues.length > 0 && issues.every(({ field }) => shown.has(field))
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <h2>{label}</h2>
      <div class="muted">{children}</div>
      <Fields fields={fields} issues={issues} />
      <p class="problem" role="alert">
        {failure && !isShownAtFields && failureText(say, failure)}
      </p>
      <div class="buttons">
        <button type="button" onClick={close}>
          {say(generalTexts.cancel)}
        </button>
        <button type="submit" class={isDanger ? 'danger' : 'primary'} disabled={isSending}>
          {label}
        </button>
      </div>
    </form>
  )
}
