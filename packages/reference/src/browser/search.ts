import { element, one } from './elements.ts'
import { type Entry, normalised, queryWords, searchIndex } from './search-index.ts'

const shownMost = 12
const search = one('#search-box', HTMLInputElement)
const results = one('#results', HTMLUListElement)
const contents = one('#contents', HTMLDetailsElement)

let index: readonly Entry[] | undefined
let active = -1

/** The entries that contain every word; those with all words in their title first. */
function found(query: string): Entry[] {
  index ??= searchIndex()
  const words = queryWords(query)
  const hasAll = (...texts: readonly string[]): boolean =>
    words.every((spellings) => spellings.some((word) => texts.some((text) => text.includes(word))))
  const scoreOf = ({ head, body, title }: Entry): number => {
    if (!hasAll(head, body)) return 0
    const name = normalised(title)
    if (name === normalised(query).trim()) return 4
    if (hasAll(name)) return 3
    return hasAll(head) ? 2 : 1
  }
  return index
    .map((entry) => ({ entry, score: scoreOf(entry) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ entry }) => entry)
    .slice(0, shownMost)
}

function showResults(): void {
  const isSearching = search.value.trim() !== ''
  const entries = isSearching ? found(search.value) : []
  results.replaceChildren(...entries.map(resultItem))
  results.hidden = entries.length === 0
  one('#entries', HTMLElement).hidden = isSearching
  one('#nothing-found', HTMLElement).hidden = !isSearching || entries.length > 0
  search.setAttribute('aria-expanded', String(entries.length > 0))
  activate(entries.length > 0 ? 0 : -1)
}

function resultItem({ anchor, title, kind, text }: Entry, position: number): HTMLElement {
  const item = element('li', '')
  item.id = `result-${position}`
  item.role = 'option'
  item.dataset['anchor'] = anchor
  item.append(element('b', title), element('small', kind), element('span', excerpt(text)))
  item.addEventListener('click', () => open(item))
  return item
}

/** The text around the first word that was searched for. */
function excerpt(text: string): string {
  const [spellings = []] = queryWords(search.value)
  const found = Math.max(...spellings.map((word) => normalised(text).indexOf(word)))
  const at = Math.max(0, found - 30)
  return `${at > 0 ? '…' : ''}${text.slice(at, at + 110)}`
}

function activate(position: number): void {
  active = position
  for (const [at, item] of [...results.children].entries()) item.setAttribute('aria-selected', String(at === position))
  const item = results.children[position]
  item?.scrollIntoView({ block: 'nearest' })
  search.setAttribute('aria-activedescendant', item?.id ?? '')
}

function open(item: HTMLElement): void {
  const hash = `#${item.dataset['anchor']}`
  search.value = ''
  showResults()
  search.blur()
  // The same anchor again is no change of the URL.
  if (location.hash === hash) dispatchEvent(new HashChangeEvent('hashchange'))
  else location.hash = hash
}

search.addEventListener('input', showResults)
search.addEventListener('keydown', (event) => {
  const count = results.children.length
  if (event.key === 'Escape') {
    search.value = ''
    showResults()
  } else if (event.key === 'Enter') {
    const item = results.children[active]
    if (item instanceof HTMLElement) open(item)
  } else if (count > 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
    activate((active + (event.key === 'ArrowDown' ? 1 : count - 1)) % count)
  } else return
  event.preventDefault()
})
addEventListener('keydown', (event) => {
  const { target } = event
  const isTyping = target instanceof Element && target.matches('input, textarea, select')
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  contents.open = true
  search.focus()
})
