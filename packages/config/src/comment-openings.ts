import type { SourceFile } from './source-file.ts'

const commented = /\.(?:tsx?|mjs|sql)$/
/** Written from the descriptions of the OpenAPI document. */
const generated = /^packages\/client\/src\/openapi\/openapi\.ts$/

const opening = /^\s*(?<mark>\/\*\*?|\*|\/\/|--) +(?<words>What|Of|Those|As those)\b/

/** Comments that open with a word that refers to no noun: read alone, they do not say of what they speak. */
export function commentOpeningBreaches({ path, text }: SourceFile): string[] {
  if (!commented.test(path) || generated.test(path)) return []
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    const { mark, words } = opening.exec(line)?.groups ?? {}
    if (mark === undefined || !opens(mark, lines[index - 1]?.trim() ?? '')) return []
    return [`${path}:${index + 1}: a comment that opens with "${words}": begin with the noun that it describes`]
  })
}

/** Whether a comment begins on the line, after this one: other lines may break anywhere in a sentence. */
const opens = (mark: string, before: string): boolean =>
  mark === '*' ? before === '/**' : mark.startsWith('/*') || !before.startsWith(mark)
