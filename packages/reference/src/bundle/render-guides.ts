import { readFile } from 'node:fs/promises'
import { Marked, type Tokens } from 'marked'
import { type Guide, guideAnchor, guideFiles, type GuideName } from '../guide/guide.ts'

/** From `src` and from `dist` alike. */
const docs = new URL('../../../../docs/', import.meta.url)

/** Renders every guide. Their texts are the project’s own, so their HTML is trusted. */
export const renderedGuides = (): Promise<Guide[]> =>
  Promise.all(
    Object.entries(guideFiles).map(async ([name, file]) =>
      renderGuide(name, file, await withShownFiles(new URL(file, docs))),
    ),
  )

/** The text of a document, with the files whose comment `shows` stands in it as blocks of code. */
async function withShownFiles(document: URL): Promise<string> {
  const text = await readFile(document, 'utf8')
  const parts = text.split(/^<!-- shows (\S+) -->$/m)
  const shown = parts.map(async (part, index) =>
    index % 2 === 0 ? part : `\`\`\`\n${await readFile(new URL(part, document), 'utf8')}\`\`\``,
  )
  return (await Promise.all(shown)).join('')
}

/** @param file  relative to `docs/`; links of the text are relative to it */
export function renderGuide(name: string, file: string, markdown: string): Guide {
  const marked = new Marked({ gfm: true, async: false })
  let title: string = name
  marked.use({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        if (depth === 1) {
          title = text
          return ''
        }
        const level = Math.min(depth + 1, 6)
        const anchor = `${guideAnchor(name)}-${slugOf(text)}`
        return `<h${level} id="${anchor}"><a href="#${anchor}">${this.parser.parseInline(tokens)}</a></h${level}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const content = this.parser.parseInline(tokens)
        const target = targetOf(href, name, file)
        return target === undefined ? content : `<a href="${target}">${content}</a>`
      },
      code({ text }: Tokens.Code) {
        return `<pre tabindex="0">${escaped(text)}</pre>\n`
      },
      // Comments, such as why a block is not run, and pictures, which the page does not have.
      html: () => '',
      image: () => '',
      table(token: Tokens.Table) {
        const row = (cells: readonly Tokens.TableCell[], tag: string): string =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
        const rows = token.rows.map((cells) => row(cells, 'td')).join('\n')
        return `<div class="table" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${rows}</tbody></table></div>\n`
      },
    },
  })
  const html = marked.parse(markdown) as string
  return { name, title, html }
}

const names = Object.fromEntries(Object.entries(guideFiles).map(([name, file]) => [file, name as GuideName]))

/** Where a link leads on the page; undefined: to a file that the page does not have. */
function targetOf(href: string, name: string, file: string): string | undefined {
  if (/^https?:/.test(href)) return href
  const { pathname, hash } = new URL(href, `file:///${file}`)
  const guide = href.startsWith('#') ? name : names[pathname.slice(1)]
  if (guide === undefined) return undefined
  return `#${guideAnchor(guide)}${hash === '' ? '' : `-${decodeURIComponent(hash.slice(1))}`}`
}

/** As GitHub makes anchors of headings. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\d\s_-]/gu, '')
    .replaceAll(' ', '-')

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
