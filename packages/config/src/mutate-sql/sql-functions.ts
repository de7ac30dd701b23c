/** A function of a migration, as its newest definition writes it. */
export type SqlFunction = {
  /** Without the schema. */
  readonly name: string
  readonly file: string
  /** `create function …;` */
  readonly text: string
  /** The line of its first line in the file, from 1. */
  readonly line: number
  /** Where its body begins and ends in `text`. */
  readonly body: { readonly start: number; readonly end: number }
}

export type SourceFile = { readonly file: string; readonly text: string }

const definition =
  /^create (?:or replace )?function quipu\.(\w+)[\s\S]*?(?:(\$\w*\$)([\s\S]*?)\2[^;]*;|^return\b([\s\S]*?);|^begin atomic\b([\s\S]*?)^end;)/gm

/** All functions of the migrations, in the order of the files. A later definition replaces an earlier one. */
export function functionsOf(migrations: readonly SourceFile[]): ReadonlyMap<string, SqlFunction> {
  const found = migrations.flatMap(({ file, text: source }) =>
    Array.from(source.matchAll(definition), (match): SqlFunction => {
      const [text, name = '', , quoted, returned, atomic] = match
      const body = quoted ?? returned ?? atomic ?? ''
      const start = text.lastIndexOf(body, text.length - 1)
      return {
        name,
        file,
        text: text.replace(/^create function/, 'create or replace function'),
        line: source.slice(0, match.index).split('\n').length,
        body: shifted(start, body, text),
      }
    }),
  )
  return new Map(found.map((each) => [each.name, each]))
}

/** The place of the body after `or replace` is inserted. */
function shifted(start: number, body: string, text: string): SqlFunction['body'] {
  const by = text.startsWith('create function') ? 'or replace '.length : 0
  return { start: start + by, end: start + by + body.length }
}

/**
 * For each function, itself and all that it may run: those whose names it mentions, and the triggers of the tables
 * that it writes.
 */
export function reachedBy(
  functions: ReadonlyMap<string, SqlFunction>,
  migrations: readonly SourceFile[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const triggers = triggersOf(migrations)
  const direct = new Map(
    Array.from(functions.values(), ({ name, text }) => {
      const called = mentions(text, /quipu\.(\w+)\s*\(/g).filter((each) => functions.has(each))
      const written = mentions(text, /(?:insert into|update|delete from)\s+quipu\.(\w+)/g)
      return [name, [...called, ...written.flatMap((table) => triggers.get(table) ?? [])]]
    }),
  )
  return new Map(Array.from(functions.keys(), (name) => [name, closure(name, direct)]))
}

const mentions = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, name = '']) => name)

function triggersOf(migrations: readonly SourceFile[]): ReadonlyMap<string, readonly string[]> {
  const triggers = new Map<string, string[]>()
  const pattern =
    /create (?:constraint )?trigger [^;]*? on quipu\.(\w+)[^;]*?function quipu\.(\w+)/g
  for (const [, table = '', name = ''] of migrations.flatMap(({ text }) =>
    Array.from(text.matchAll(pattern)),
  ))
    triggers.set(table, [...(triggers.get(table) ?? []), name])
  return triggers
}

function closure(from: string, edges: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set([from])
  for (const name of reached) for (const next of edges.get(name) ?? []) reached.add(next)
  return reached
}
