/// <reference lib="dom" />
// Each function runs in the page, so it must not use anything outside of itself.

/** Controls without a label for screen readers. */
export function unlabelled(): string[] {
  const controls = document.querySelectorAll<HTMLInputElement>('input, select, textarea')
  return [...controls]
    .filter(({ labels }) => ![...(labels ?? [])].some((label) => label.textContent?.trim()))
    .filter((control) => !control.getAttribute('aria-label'))
    .filter(({ hidden, type }) => !hidden && type !== 'hidden')
    .map((control) => control.outerHTML.slice(0, 120))
}

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

/** Texts with a contrast below 4.5 to 1, the minimum of WCAG 2.2 AA. */
export function faintTexts(): string[] {
  const rgba = (color: string): number[] => (color.match(/[\d.]+/g) ?? []).map(Number)
  const behind = (element: Element | null): string => {
    if (!element) return 'rgb(255, 255, 255)'
    const { backgroundColor } = getComputedStyle(element)
    return (rgba(backgroundColor)[3] ?? 1) === 0 ? behind(element.parentElement) : backgroundColor
  }
  const luminance = (color: string): number => {
    const [red = 0, green = 0, blue = 0] = rgba(color).map((channel) => {
      const part = channel / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const ownText = (element: Element): string =>
    [...element.childNodes]
      .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
      .map(({ textContent }) => textContent?.trim())
      .join('')
  const found = new Map<string, string>()
  for (const element of document.querySelectorAll('body *')) {
    if (ownText(element) === '' || element.matches('script, style')) continue
    const [ink, paper] = [getComputedStyle(element).color, behind(element)]
    const [low = 0, high = 0] = [luminance(ink), luminance(paper)].toSorted((a, b) => a - b)
    const contrast = (high + 0.05) / (low + 0.05)
    if (contrast < 4.5) found.set(`${ink} on ${paper}: ${contrast.toFixed(2)}`, element.outerHTML)
  }
  return [...found].map(([colors, where]) => `${colors} in ${where.slice(0, 120)}`)
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
