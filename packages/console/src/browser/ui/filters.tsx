import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { dayIn, instantIn, zone } from '../preference/zone.ts'
import { navigate, withQuery } from '../route/router.ts'
import { useStore } from '../store.ts'
import { useFormat } from '../text/format.ts'
import { generalTexts } from '../text/general-texts.ts'
import { type Text, useSay } from '../text/text.ts'
import { useIsNarrow } from './narrow.ts'

/** A parameter that narrows a list down. */
export type Filter = {
  /** The name in the API's query. */
  readonly name: string
  readonly label: Text
  /** Left out: any text. */
  readonly options?: readonly { readonly value: string; readonly label: Text }[]
  /** A day in the chosen time zone, of which the API gets the first or the last instant. */
  readonly day?: 'first' | 'last'
  /** A field of its own, within the label. */
  readonly field?: (props: FilterFieldProps) => VNode
}

export type FilterFieldProps = { readonly value: string; readonly apply: (value: string) => void }

/** The filters of a list by time. */
export const periodFilters: readonly Filter[] = [
  { name: 'from', label: generalTexts.from, day: 'first' },
  { name: 'to', label: generalTexts.to, day: 'last' },
]

type FiltersProps = { readonly path: string; readonly query: URLSearchParams; readonly filters: readonly Filter[] }

/** Narrows a list down; the address keeps the choice. Folded where the window is narrow, unless one is chosen. */
export function Filters(props: FiltersProps): VNode {
  const { query, filters } = props
  const say = useSay()
  const isNarrow = useIsNarrow()
  if (filters.length === 0) return <div class="filters" />
  if (!isNarrow) return <FilterForm {...props} />
  return (
    <details class="filter-box" open={filters.some(({ name }) => query.has(name))}>
      <summary>{say(generalTexts.filters)}</summary>
      <FilterForm {...props} />
    </details>
  )
}

function FilterForm({ path, query, filters }: FiltersProps): VNode {
  const say = useSay()
  const chosen = useStore(zone)
  const format = useFormat()
  const apply = (name: string, value: string): void => {
    const { cursor: _, ...kept } = Object.fromEntries(query)
    navigate(withQuery(path, { ...kept, [name]: value.trim() }), { replace: true })
  }
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      {filters.map(({ name, label, options, day, field: Field = TextField }) => (
        <label key={name}>
          <span>
            {say(label)}
            {day && <span class="muted"> {format.zone(query.get(name) ?? new Date().toISOString())}</span>}
          </span>
          {day && (
            <input
              type="date"
              value={dayIn(chosen, query.get(name))}
              onChange={({ currentTarget }) => apply(name, instantIn(chosen, currentTarget.value, day))}
            />
          )}
          {options && (
            <select value={query.get(name) ?? ''} onChange={({ currentTarget }) => apply(name, currentTarget.value)}>
              <option value="">{say(generalTexts.all)}</option>
              {options.map((option) => (
                <option key={option.value} value={option.value}>
                  {say(option.label)}
                </option>
              ))}
            </select>
          )}
          {!day && !options && <Field value={query.get(name) ?? ''} apply={(value) => apply(name, value)} />}
        </label>
      ))}
    </form>
  )
}

function TextField({ value, apply }: FilterFieldProps): VNode {
  const typed = useTyped(value)
  return <input type="search" maxLength={200} {...typed} onChange={({ currentTarget }) => apply(currentTarget.value)} />
}

type Typed = { readonly value: string; onInput(event: { readonly currentTarget: HTMLInputElement }): void }

/** The text of a field: what a person types, until another value is shown. A list that renews itself leaves it. */
export function useTyped(shown: string): Typed {
  const [typed, setTyped] = useState({ shown, value: shown })
  return {
    value: typed.shown === shown ? typed.value : shown,
    onInput: ({ currentTarget }) => setTyped({ shown, value: currentTarget.value }),
  }
}
