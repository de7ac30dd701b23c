import type { Command } from 'commander'

/** A word that can follow, with its meaning. */
export type Suggestion = { readonly name: string; readonly description: string }

/** The command that a group runs when none is named: its options can follow, too. */
export type DefaultOf = (group: Command) => Command | undefined

/**
 * The words that can follow a command line: commands, options, or the choices of an option or argument.
 *
 * @param words  after the program's name; the last one is incomplete
 */
export function suggestions(
  program: Command,
  words: readonly string[],
  defaultOf: DefaultOf = () => undefined,
): readonly Suggestion[] {
  const known = words.slice(0, -1)
  const { command, rest } = reached(program, known)
  const ofDefault = defaultOf(command)
  const options = [...command.options, ...(ofDefault?.options ?? [])]
  const previous = rest.at(-1)
  const option = options.find(({ long }) => long === previous)
  if (option?.required) return option.argChoices?.map(plain) ?? []
  const positionals = rest.filter((word) => !word.startsWith('-'))
  const argument = command.registeredArguments[positionals.length]
  return [
    ...command.commands.map((inner) => ({ name: inner.name(), description: inner.summary() || inner.description() })),
    ...(argument?.argChoices?.map(plain) ?? []),
    ...options
      .filter(({ long, variadic }) => long && (variadic || !rest.includes(long)))
      .map(({ long = '', description }) => ({ name: long, description })),
  ].map(oneLine)
}

const plain = (name: string): Suggestion => ({ name, description: '' })

const oneLine = ({ name, description }: Suggestion): Suggestion => ({
  name,
  description: description.split('\n')[0] ?? '',
})

/** The innermost command that the words name, and the words after it. */
function reached(
  command: Command,
  words: readonly string[],
): { readonly command: Command; readonly rest: readonly string[] } {
  const [first, ...rest] = words
  const inner = command.commands.find(
    (each) => first !== undefined && (each.name() === first || each.aliases().includes(first)),
  )
  return inner ? reached(inner, rest) : { command, rest: words }
}
