import type { VNode } from 'preact'
import { navigate, withQuery } from '../route/router.ts'
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
  /** A day in the browser's time zone, of which the API gets the first or the last instant. */
  readonly day?: 'first' | 'last'
}

/** The filters of a list by time. */
export const periodFilters: readonly Filter[] = [
  { name: 'from', label: generalTexts.from, day: 'first' },
  { name: 'to', label: generalTexts.to, day: 'last' },
]

const instantOf = (day: string, end: 'first' | 'last'): string => {
  const at = new Date(`${day}T${end === 'first' ? '00:00:00.000' : '23:59:59.999'}`)
  return Number.isNaN(at.getTime()) ? '' : at.toISOString()
}

function dayOf(instant: string | null): string {
  const at = new Date(instant ?? Number.NaN)
  if (Number.isNaN(at.getTime())) return ''
  const two = (part: number): string => String(part).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

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
  const apply = (name: string, value: string): void => {
    const { cursor: _, ...kept } = Object.fromEntries(query)
    navigate(withQuery(path, { ...kept, [name]: value.trim() }), { replace: true })
  }
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      {filters.map(({ name, label, options, day }) => (
        <label key={name}>
          <span>{say(label)}</span>
          {day && (
            <input
              type="date"
              value={dayOf(query.get(name))}
              onChange={({ currentTarget }) => apply(name, instantOf(currentTarget.value, day))}
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
          {!day && !options && (
            <input
              type="search"
              maxLength={200}
              value={query.get(name) ?? ''}
              onChange={({ currentTarget }) => apply(name, currentTarget.value)}
            />
          )}
        </label>
      ))}
    </form>
  )
}
