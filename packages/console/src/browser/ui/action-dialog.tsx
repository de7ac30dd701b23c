import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Change, useAction } from '../api/action.ts'
import { type Right, useRight } from '../session/use-session.ts'
import { generalTexts } from '../text/general-texts.ts'
import { textAbout, useSay } from '../text/text.ts'
import { type Field, Fields, type Values, valuesOf } from './fields.tsx'
import { failureText } from './loaded.tsx'
import { notify } from './notice.tsx'

const nameField = 'typed_name'

type ActionDialogProps<T> = {
  /** The text of the button that opens the dialog, and of the one that sends. */
  readonly label: string
  /** The object of the action, where the page has the same action for several records. */
  readonly about?: string
  /** The role that may do it. Others see the button disabled, with the reason. */
  readonly right: Right
  /** Why nobody, or not this person, may do it now: the button is disabled and says so. */
  readonly refusal?: string | undefined
  readonly isDanger?: boolean
  /** The name of what is at stake, which the person types where the action cannot be undone. */
  readonly typed?: string
  /** The effect, and the next step. */
  readonly children: ComponentChildren
  readonly fields?: readonly Field[]
  readonly change: (values: Values) => Change
  /** The text once it is done. */
  readonly done: (answer: T) => string
  /** The next step; the page reads everything that it shows again by itself. */
  readonly onDone?: (answer: T) => void
}

/** A button that asks before it changes something, for what the change needs. */
export function ActionDialog<T>(props: ActionDialogProps<T>): VNode {
  const { label, about, right, isDanger = false } = props
  const say = useSay()
  const isAllowed = useRight(right)
  const dialog = useRef<HTMLDialogElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const refusal = isAllowed ? props.refusal : say(generalTexts.needsRole, right)
  if (refusal !== undefined)
    return (
      <span class="refused">
        <button type="button" disabled>
          {label}
        </button>
        <span class="muted small">{refusal}</span>
      </span>
    )
  const open = (): void => {
    setIsOpen(true)
    dialog.current?.showModal()
  }
  return (
    <>
      <button type="button" class={isDanger ? 'danger' : ''} onClick={open}>
        {label}
        {about !== undefined && <span class="hidden"> {about}</span>}
      </button>
      <dialog ref={dialog} aria-label={label} onClose={() => setIsOpen(false)}>
        {isOpen && <DialogForm {...props} close={() => dialog.current?.close()} />}
      </dialog>
    </>
  )
}

function DialogForm<T>(props: ActionDialogProps<T> & { readonly close: () => void }): VNode {
  const { label, about, isDanger = false, fields = [], typed, children, close } = props
  const say = useSay()
  const { isSending, failure, send } = useAction()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('input, select, textarea, button')?.focus()
  }, [])

  const [isOther, setIsOther] = useState(false)
  const submit = async (): Promise<void> => {
    if (!form.current) return
    const { [nameField]: name = '', ...values } = valuesOf(form.current)
    setIsOther(typed !== undefined && name.trim() !== typed)
    if (typed !== undefined && name.trim() !== typed) return
    await send<T>(props.change(values), (answer) => {
      close()
      notify(props.done(answer))
      props.onDone?.(answer)
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
      <h2>{about === undefined ? label : `${label}: ${about}`}</h2>
      <div class="muted">{children}</div>
      <Fields fields={fields} issues={issues} />
      {typed !== undefined && (
        <Fields
          fields={[{ name: nameField, kind: 'text', label: textAbout(generalTexts.typeName, typed) }]}
          issues={isOther ? [{ field: nameField, message: say(generalTexts.otherName) }] : []}
        />
      )}
      <div class="buttons">
        <p class="problem" role="alert">
          {failure && !isShownAtFields && failureText(say, failure)}
        </p>
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
