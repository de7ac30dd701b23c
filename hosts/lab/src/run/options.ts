import { parseArgs } from 'node:util'

/** Thrown for an option that cannot be used; the message names it and says what is allowed. */
export class OptionError extends Error {}

/** An option that takes a value. */
export type OptionKind<T> = {
  /** Its meaning, and its default. */
  readonly means: string
  /** @throws OptionError for a text that is not allowed; undefined when the option is left out */
  readonly read: (text: string | undefined, name: string) => T
}

/** By their names, without `--`. */
export type OptionKinds = Readonly<Record<string, OptionKind<unknown>>>

export type OptionValues<Kinds extends OptionKinds> = {
  readonly [Name in keyof Kinds]: Kinds[Name] extends OptionKind<infer T> ? T : never
}

/** A whole number, at least `from`. */
export function whole<const Default extends number | undefined>(
  means: string,
  { from = 0, otherwise }: { readonly from?: number; readonly otherwise: Default },
): OptionKind<number | Default> {
  return {
    means: otherwise === undefined ? means : `${means}; ${otherwise} by default`,
    read: (text, name) => {
      if (text === undefined) return otherwise
      const value = /^\d{1,15}$/.test(text) ? Number(text) : -1
      if (value < from) throw new OptionError(`--${name} must be a whole number from ${from}.`)
      return value
    },
  }
}

/** A switch, without a value: whether it is given. */
export const flag = (means: string): OptionKind<boolean> & { readonly isFlag: true } => ({
  means,
  isFlag: true,
  read: (given) => given !== undefined,
})

export const text = (means: string): OptionKind<string | undefined> => ({ means, read: (given) => given })

/** One of some texts; the first one by default. */
export const oneOf = <const Item extends string>(
  means: string,
  allowed: readonly [Item, ...Item[]],
): OptionKind<Item> => ({
  means: `${means}: ${allowed.join(' or ')}; ${allowed[0]} by default`,
  read: (given, name) => {
    const found = given === undefined ? allowed[0] : allowed.find((each) => each === given)
    if (found === undefined) throw new OptionError(`--${name} must be one of: ${allowed.join(', ')}.`)
    return found
  },
})

/** Texts, separated by commas; undefined when the option is left out. @param allowed any when left out */
export const list = <const Item extends string = string>(
  means: string,
  allowed?: readonly Item[],
): OptionKind<readonly Item[] | undefined> => ({
  means,
  read: (given, name) =>
    given?.split(',').flatMap((item) => {
      if (item === '') return []
      const found = allowed === undefined ? (item as Item) : allowed.find((each) => each === item)
      if (found === undefined) throw new OptionError(`--${name} must be a list of: ${allowed?.join(', ')}.`)
      return [found]
    }),
})

/** @throws OptionError for an unknown option, or a value that is not allowed */
export function readOptions<Kinds extends OptionKinds>(kinds: Kinds, args: readonly string[]): OptionValues<Kinds> {
  const options = Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [name, { type: 'isFlag' in kind ? 'boolean' : 'string' } as const]),
  )
  const given = givenOf(args, options)
  const read = Object.entries(kinds).map(([name, kind]) => [name, kind.read(given[name]?.toString(), name)])
  return Object.fromEntries(read) as OptionValues<Kinds>
}

function givenOf(args: readonly string[], options: Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>) {
  try {
    // pnpm passes the `--` through.
    return parseArgs({ args: args.filter((arg) => arg !== '--'), options }).values
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/** One line for each option. */
export function optionLines(kinds: OptionKinds): readonly string[] {
  const width = Math.max(0, ...Object.keys(kinds).map((name) => name.length))
  return Object.entries(kinds).map(([name, { means }]) => `  --${name.padEnd(width)}  ${means}`)
}
