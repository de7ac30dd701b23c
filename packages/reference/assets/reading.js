import { all, one } from './elements.js'

for (const button of all('.copy', HTMLButtonElement))
  button.addEventListener('click', () => {
    const text = button.closest('.panel')?.querySelector('pre')?.textContent ?? ''
    const show = (/** @type {string} */ word) => {
      button.textContent = word
      setTimeout(() => (button.textContent = 'Copy'), 1500)
    }
    navigator.clipboard.writeText(text).then(
      () => show('Copied'),
      () => show('Copying failed: select the text'),
    )
  })

/** Copies the members of a schema from its section when they are first opened. */
document.addEventListener(
  'toggle',
  ({ target }) => {
    if (target instanceof HTMLDetailsElement && target.open) fetchMembers(target)
  },
  true,
)

/** @param {HTMLDetailsElement} details */
function fetchMembers(details) {
  const { of } = details.dataset
  if (of === undefined) return
  delete details.dataset['of']
  const parts = [...(document.getElementById(of)?.children ?? [])]
  const shown = parts.filter((part) => part.matches('p, ul, details.members'))
  details.querySelector('a')?.remove()
  for (const part of shown) details.append(part.cloneNode(true))
}
for (const details of all('details[data-of][open]', HTMLDetailsElement)) fetchMembers(details)

/** Opens and scrolls to the element that the URL names, also inside a folded one. */
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  const folded = target?.querySelector(':scope > details')
  if (folded instanceof HTMLDetailsElement) folded.open = true
  if (narrow.matches) contents.open = false
}

const contents = one('#contents', HTMLDetailsElement)
const narrow = matchMedia('(max-width: 60rem)')
contents.open = !narrow.matches
narrow.addEventListener('change', () => (contents.open = !narrow.matches))
addEventListener('hashchange', openTarget)
if (location.hash !== '') openTarget()

const search = one('#search', HTMLInputElement)
const entries = all('nav li', HTMLLIElement).map((item) => ({
  item,
  words: `${item.textContent} ${item.querySelector('a')?.dataset['words'] ?? ''}`.toLowerCase(),
}))
const groups = all('nav .entries', HTMLDetailsElement).map((group) => ({
  group,
  wasOpen: group.open,
}))
search.addEventListener('input', () => {
  const wanted = search.value.toLowerCase().split(/\s+/)
  for (const { item, words } of entries) item.hidden = !wanted.every((word) => words.includes(word))
  for (const { group, wasOpen } of groups) {
    group.hidden = group.querySelector('li:not([hidden])') === null
    group.open = search.value === '' ? wasOpen : !group.hidden
  }
  one('#nothing-found', HTMLElement).hidden = groups.some(({ group }) => !group.hidden)
})
addEventListener('keydown', (event) => {
  const { target } = event
  const isTyping = target instanceof Element && target.matches('input, textarea, select')
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  contents.open = true
  search.focus()
})

/** Highlights the entry of the visible section. */
const links = new Map(all('nav a', HTMLAnchorElement).map((link) => [link.hash.slice(1), link]))
const watcher = new IntersectionObserver(
  (seen) => {
    for (const { target, isIntersecting } of seen) {
      if (!isIntersecting) continue
      for (const link of links.values()) link.removeAttribute('aria-current')
      links.get(target.id)?.setAttribute('aria-current', 'location')
    }
  },
  { rootMargin: '-20% 0px -75% 0px' },
)
for (const section of all('main section', HTMLElement)) watcher.observe(section)
