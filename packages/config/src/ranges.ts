/** The ranges that published packages accept, by package, in the text of pnpm-workspace.yaml. */
function ranges(workspace: string): ReadonlyMap<string, string> {
  const [, block = ''] = /\n {2}ranges:\n((?: {4}.*\n)*)/.exec(workspace) ?? []
  const lines = block.matchAll(/^ {4}'([^']+)': (.*)$/gm)
  return new Map(Array.from(lines, ([, name = '', range = '']) => [name, range]))
}

/** One caret range with a full version, or several. */
const isRange = /^\^\d+\.\d+\.\d+(?: \|\| \^\d+\.\d+\.\d+)*$/

/** The first version of each range, by package. */
export const firstVersions = (workspace: string): ReadonlyMap<string, string> =>
  new Map(Array.from(ranges(workspace), ([name, range]) => [name, /[\d.]+/.exec(range)?.[0] ?? range]))

/** Ranges from which `firstVersions` reads no version. */
export const rangeBreaches = (workspace: string): string[] =>
  Array.from(ranges(workspace))
    .filter(([, range]) => !isRange.test(range))
    .map(([name]) => `set the range of ${name} to ^ with a full version, or to several joined with ||`)
