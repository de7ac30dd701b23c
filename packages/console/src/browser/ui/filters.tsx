import type { VNode } from 'preact'
import { navigate, withQuery } from '../route/router.ts'
import { generalTexts } from '../text/general-texts.ts'
import { type Text, useSay } from '../text/text.ts'

/** A parameter that narrows a list down. */
export type Filter = {
  /** Of the API's query. */
  readonly name: string
  readonly label: Text
  /** Left out: any text. */
  readonly options?: readonly { readonly value: string; readonly label: Text }[]
}

type FiltersProps = {
  readonly path: string
  readonly query: URLSearchParams
  readonly filters: readonly Filter[]
}

/** Narrows a list down; the address keeps the choice. */
export function Filters({ path, query, filters }: FiltersProps): VNode {
  const say = useSay()
  const apply = (name: string, value: string): void => {
    const { cursor: _, ...kept } = Object.fromEntries(query)
    navigate(withQuery(path, { ...kept, [name]: value.trim() }), { replace: true })
  }
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      {filters.map(({ name, label, options }) => (
        <label key={name}>
          <span>{say(label)}</span>
          {options ? (
            <select
              value={query.get(name) ?? ''}
              onChange={({ currentTarget }) => apply(name, currentTarget.value)}
            >
              <option value="">{say(generalTexts.all)}</option>
              {options.map((option) => (
                <option key={option.value} value={option.value}>
                  {say(option.label)}
                </option>
              ))}
            </select>
          ) : (
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
