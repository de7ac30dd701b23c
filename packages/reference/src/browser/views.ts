import { all, one } from './elements.ts'

/** On a narrow screen every section is a view of its own; on a wide one only guides are. */
const narrow = matchMedia('(max-width: 60rem)')
const contents = one('#contents', HTMLDetailsElement)
const sections = all('main > section', HTMLElement)
const previous = one('#previous', HTMLAnchorElement)
const next = one('#next', HTMLAnchorElement)

/** The element that the URL names; undefined: none. */
const target = (): HTMLElement | undefined =>
  document.getElementById(decodeURIComponent(location.hash.slice(1))) ?? undefined

const isGuide = (section: HTMLElement): boolean => section.classList.contains('guide')

function showView(): void {
  const current = target()?.closest<HTMLElement>('main > section') ?? sections[0]
  const isAlone = narrow.matches || (current !== undefined && isGuide(current))
  for (const section of sections) section.hidden = isAlone ? section !== current : isGuide(section)
  const at = current ? sections.indexOf(current) : 0
  turnTo(previous, isAlone ? sections[at - 1] : undefined, '‹')
  turnTo(next, isAlone ? sections[at + 1] : undefined, '›')
}

/** Leads to the section before or after. */
function turnTo(link: HTMLAnchorElement, section: HTMLElement | undefined, arrow: string): void {
  link.hidden = section === undefined
  if (!section) return link.removeAttribute('href')
  link.href = `#${section.id}`
  const title = section.querySelector('h1, h2, h3')?.textContent ?? ''
  link.textContent = arrow === '‹' ? `‹ ${title}` : `${title} ›`
}

/** Shows and scrolls to what the URL names, also inside a folded element. */
function openTarget(): void {
  showView()
  if (narrow.matches) contents.open = false
  const named = target()
  const folded = named?.querySelector(':scope:is(li) > details')
  if (folded instanceof HTMLDetailsElement) folded.open = true
  if (named) named.scrollIntoView()
  else if (narrow.matches) scrollTo(0, 0)
}

function fitWidth(): void {
  contents.open = !narrow.matches
  showView()
}

narrow.addEventListener('change', fitWidth)
/** The other language shows the same place. */
const [language] = all('#language', HTMLAnchorElement)
language?.addEventListener('click', () => {
  language.hash = location.hash
})
addEventListener('hashchange', openTarget)
fitWidth()
if (location.hash !== '') openTarget()
