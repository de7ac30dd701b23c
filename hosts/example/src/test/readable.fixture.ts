/// <reference lib="dom" />
// Each function runs in the page, so it must not use anything outside of itself.

/** Headings more than one level below the previous one. */
export function skippedHeadings(): string[] {
  const headings = [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')]
  const level = (heading: Element | undefined): number => Number(heading?.tagName[1] ?? 0)
  return headings
    .filter((heading, index) => level(heading) > level(headings[index - 1]) + 1)
    .map((heading) => heading.outerHTML.slice(0, 120))
}

/** Links to missing anchors, and duplicate anchors. */
export function uselessLinks(): string[] {
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index)
  const lost = [...document.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')]
    .map(({ hash }) => decodeURIComponent(hash.slice(1)))
    .filter((id) => !ids.includes(id))
  return [...new Set([...twice, ...lost])]
}

/** Links in prose whose line crosses the underscores of their code, or that have no line. */
export function crossedUnderscores(): string[] {
  const isUnderlined = (element: Element): boolean => getComputedStyle(element).textDecorationLine.includes('underline')
  return [...document.querySelectorAll('main a code')]
    .filter((code) => code.textContent?.includes('_'))
    .filter((code) => {
      const { borderBottomWidth, borderBottomStyle } = getComputedStyle(code)
      const isMarked = parseFloat(borderBottomWidth) >= 1 && borderBottomStyle === 'solid'
      const link = code.closest('a')
      return isUnderlined(code) || (link !== null && isUnderlined(link)) || !isMarked
    })
    .map((code) => code.parentElement?.outerHTML.slice(0, 120) ?? '')
}
