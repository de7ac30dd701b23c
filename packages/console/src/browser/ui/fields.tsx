import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { sha256Of } from '../api/sha256.ts'
import { generalTexts } from '../text/general-texts.ts'
import { type Text, useSay } from '../text/text.ts'

/** A field of a dialog. Its name is that of the request's member. */
export type Field = {
  readonly name: string
  readonly label: Text
  readonly hint?: Text
  readonly isOptional?: true
  /** The initial value. */
  readonly initial?: string
} & (
  | { readonly kind: 'text' | 'amount' | 'count'; readonly maxLength?: number }
  | { readonly kind: 'long' | 'day'; readonly maxLength?: number }
  | { readonly kind: 'choice'; readonly options: readonly Option[] }
  /** Any number of them: the value has one a line. */
  | { readonly kind: 'many'; readonly options: readonly Option[] }
  /** A file whose SHA-256 is sent: the file stays here. */
  | { readonly kind: 'digest' }
  /** A text file whose content is sent. */
  | { readonly kind: 'file' }
)

type Option = { readonly value: string; readonly label: Text }

/** The entered values, by the names of the fields. */
export type Values = Readonly<Record<string, string>>

/** The lines of a value, without empty ones. */
export const linesOf = (value = ''): readonly string[] =>
  value.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))

/** The values of a form. */
export function valuesOf(form: HTMLFormElement): Values {
  const values = new Map<string, string>()
  for (const [name, value] of new FormData(form)) {
    const text = typeof value === 'string' ? value : ''
    const before = values.get(name)
    values.set(name, before === undefined ? text : `${before}\n${text}`)
  }
  return Object.fromEntries(values)
}

/** The values that were entered, under the names of the request's members. */
export const filledIn = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = values[name]?.trim() ?? ''
      return value === '' ? [] : [[name, value]]
    }),
  )

type Issue = { readonly field: string; readonly message: string }

type FieldsProps = { readonly fields: readonly Field[]; readonly issues: readonly Issue[] }

/** Fields with what the API says about them. */
export function Fields({ fields, issues }: FieldsProps): VNode {
  return (
    <>
      {fields.map((field) => (
        <FieldRow key={field.name} field={field} issue={issues.find((each) => each.field === field.name)} />
      ))}
    </>
  )
}

type FieldRowProps = { readonly field: Field; readonly issue: Issue | undefined }

function FieldRow({ field, issue }: FieldRowProps): VNode {
  const say = useSay()
  const { name, label, hint, isOptional } = field
  const id = `field-${name}`
  const text = (
    <>
      {say(label)}
      {isOptional && <span class="muted"> {say(generalTexts.optional)}</span>}
    </>
  )
  return (
    <div class="field">
      {field.kind === 'many' ? (
        <span class="label" id={`${id}-label`}>
          {text}
        </span>
      ) : (
        <label for={id}>{text}</label>
      )}
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
  const { name, isOptional = false, initial = '' } = field
  const described = { 'aria-describedby': `${id}-hint ${id}-issue`, 'aria-invalid': isInvalid, required: !isOptional }
  switch (field.kind) {
    case 'choice':
      return (
        <select id={id} name={name} {...described}>
          {field.options.map(({ value, label }) => (
            <option key={value} value={value} selected={value === initial}>
              {say(label)}
            </option>
          ))}
        </select>
      )
    case 'many':
      return <Options field={field} id={id} />
    case 'digest':
      return <FileControl id={id} name={name} described={described} read={digestOf} isShown />
    case 'file':
      return <FileControl id={id} name={name} described={described} read={textOf} />
    case 'long':
      return (
        <textarea
          id={id}
          name={name}
          rows={3}
          maxLength={field.maxLength ?? 500}
          defaultValue={initial}
          {...described}
        />
      )
    case 'day':
      return <input id={id} name={name} type="date" defaultValue={initial} {...described} />
    case 'amount':
    case 'count':
    case 'text':
      return <TextControl field={field} id={id} described={described} />
  }
}

type OptionsProps = { readonly field: Extract<Field, { readonly kind: 'many' }>; readonly id: string }

function Options({ field, id }: OptionsProps): VNode {
  const say = useSay()
  const chosen = linesOf(field.initial)
  return (
    <div class="options" role="group" aria-labelledby={`${id}-label`}>
      {field.options.map(({ value, label }) => (
        <label key={value}>
          <input type="checkbox" name={field.name} value={value} defaultChecked={chosen.includes(value)} />
          {say(label)}
        </label>
      ))}
    </div>
  )
}

const inputModes = { amount: 'decimal', count: 'numeric' } as const

type TextControlProps = {
  readonly field: Extract<Field, { readonly kind: 'text' | 'amount' | 'count' }>
  readonly id: string
  readonly described: Described
}

function TextControl({ field, id, described }: TextControlProps): VNode {
  const { kind, name, initial = '', maxLength = 200 } = field
  return (
    <input
      id={id}
      name={name}
      defaultValue={initial}
      autocomplete="off"
      spellcheck={false}
      maxLength={maxLength}
      {...(kind !== 'text' && { inputMode: inputModes[kind] })}
      {...described}
    />
  )
}

type Described = Readonly<Record<string, string | boolean>>

type FileProps = {
  readonly id: string
  readonly name: string
  readonly described: Described
  /** The sent part of the file. */
  readonly read: (file: File) => Promise<string>
  readonly isShown?: true
}

function FileControl({ id, name, described, read, isShown }: FileProps): VNode {
  const [value, setValue] = useState('')
  const change = async (file: File | undefined): Promise<void> => {
    setValue('') // Until this file is read, the one before must not be sent in its place.
    if (file) setValue(await read(file))
  }
  return (
    <>
      <input
        id={id}
        type="file"
        onChange={({ currentTarget }) => void change(currentTarget.files?.[0])}
        {...described}
      />
      <input type="hidden" name={name} value={value} />
      {isShown && value !== '' && <code class="small">{value}</code>}
    </>
  )
}

const textOf = (file: File): Promise<string> => file.text()

const digestOf = async (file: File): Promise<string> => sha256Of(await file.arrayBuffer())
