import { all } from './elements.ts'
import { texts } from './texts.ts'

for (const button of all('.copy', HTMLButtonElement))
  button.addEventListener('click', () => {
    const text = button.closest('.panel')?.querySelector('pre')?.textContent ?? ''
    const show = (word: string): void => {
      button.textContent = word
      setTimeout(() => {
        button.textContent = texts.copy
      }, 1500)
    }
    navigator.clipboard.writeText(text).then(
      () => show(texts.copied),
      () => show(texts.notCopied),
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

function fetchMembers(details: HTMLDetailsElement): void {
  const { of } = details.dataset
  if (of === undefined) return
  delete details.dataset['of']
  const parts = [...(document.getElementById(of)?.children ?? [])]
  details.querySelector('a')?.remove()
  for (const part of parts) if (part.matches('p, ul, details.members')) details.append(part.cloneNode(true))
}
for (const details of all('details[data-of][open]', HTMLDetailsElement)) fetchMembers(details)

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
