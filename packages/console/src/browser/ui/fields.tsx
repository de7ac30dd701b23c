import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { generalTexts } from '../text/general-texts.ts'
import { type Text, useSay } from '../text/text.ts'

/** A field of a dialog. Its name is that of the request's member. */
export type Field = {
  readonly name: string
  readonly label: Text
  readonly hint?: Text
  readonly isOptional?: true
} & (
  | { readonly kind: 'text' | 'long' | 'amount'; readonly maxLength?: number }
  | {
      readonly kind: 'choice'
      readonly options: readonly { readonly value: string; readonly label: Text }[]
    }
  /** A file whose SHA-256 is sent: the file stays here. */
  | { readonly kind: 'digest' }
)

/** What was entered, by the names of the fields. */
export type Values = Readonly<Record<string, string>>

type Issue = { readonly field: string; readonly message: string }

type FieldsProps = { readonly fields: readonly Field[]; readonly issues: readonly Issue[] }

/** Fields with what the API says about them. */
export function Fields({ fields, issues }: FieldsProps): VNode {
  return (
    <>
      {fields.map((field) => (
        <FieldRow
          key={field.name}
          field={field}
          issue={issues.find((each) => each.field === field.name)}
        />
      ))}
    </>
  )
}

type FieldRowProps = { readonly field: Field; readonly issue: Issue | undefined }

function FieldRow({ field, issue }: FieldRowProps): VNode {
  const say = useSay()
  const { name, label, hint, isOptional } = field
  const id = `field-${name}`
  return (
    <div class="field">
      <label for={id}>
        {say(label)}
        {isOptional && <span class="muted"> {say(generalTexts.optional)}</span>}
      </label>
      <Control field={field} id={id} isInvalid={issue !== undefined} />
      {hint && (
        <p id={`${id}-hint`} class="muted small">
          {say(hint)}
        </p>
      )}
      <p id={`${id}-issue`} class="problem small">
        {issue?.message}
      </p>
    </div>
  )
}

type ControlProps = { readonly field: Field; readonly id: string; readonly isInvalid: boolean }

function Control({ field, id, isInvalid }: ControlProps): VNode {
  const say = useSay()
  const { name, isOptional = false } = field
  const described = {
    'aria-describedby': `${id}-hint ${id}-issue`,
    'aria-invalid': isInvalid,
    required: !isOptional,
  }
  switch (field.kind) {
    case 'choice':
      return (
        <select id={id} name={name} {...described}>
          {field.options.map(({ value, label }) => (
            <option key={value} value={value}>
              {say(label)}
            </option>
          ))}
        </select>
      )
    case 'digest':
      return <DigestControl id={id} name={name} described={described} />
    case 'long':
      return (
        <textarea id={id} name={name} rows={3} maxLength={field.maxLength ?? 500} {...described} />
      )
    case 'amount':
    case 'text':
      return (
        <input
          id={id}
          name={name}
          autocomplete="off"
          spellcheck={false}
          maxLength={field.maxLength ?? 200}
          {...(field.kind === 'amount' && { inputMode: 'decimal' as const })}
          {...described}
        />
      )
  }
}

type DigestProps = {
  readonly id: string
  readonly name: string
  readonly described: Readonly<Record<string, string | boolean>>
}

function DigestControl({ id, name, described }: DigestProps): VNode {
  const [digest, setDigest] = useState('')
  const read = async (file: File | undefined): Promise<void> => {
    setDigest(file ? await sha256Of(file) : '')
  }
  return (
    <>
      <input
        id={id}
        type="file"
        onChange={({ currentTarget }) => void read(currentTarget.files?.[0])}
        {...described}
      />
      <input type="hidden" name={name} value={digest} />
      {digest !== '' && <code class="small">{digest}</code>}
    </>
  )
}

async function sha256Of(file: File): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
