import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

// A reader who follows a write from TypeScript must find the SQL that decides it: each file names the
// migration of the functions that it calls, and a statement has the name of its function on both sides.

const home = new URL('../../', import.meta.url)
const migrations = await filesIn('migrations/', /\.sql$/)
const sources = await filesIn('src/', /(?<!\.(?:test|fixture))\.ts$/)

type Source = { readonly path: string; readonly text: string }

async function filesIn(folder: string, pattern: RegExp): Promise<readonly Source[]> {
  const paths = await readdir(new URL(folder, home), { recursive: true })
  const wanted = paths.map((path) => path.replaceAll('\\', '/')).filter((path) => pattern.test(path))
  return Promise.all(
    wanted
      .toSorted()
      .map(async (path) => ({ path: folder + path, text: await readFile(new URL(folder + path, home), 'utf8') })),
  )
}

/** The functions with the owner's rights, which alone write, and the migration of each. */
function writingFunctions(files: readonly Source[]): ReadonlyMap<string, string> {
  const functions = files.flatMap(({ path, text }) =>
    text
      .split(/^(?=create function )/m)
      .filter((each) => each.includes('security definer'))
      .map((each) => [/^create function quipu\.(\w+)/.exec(each)?.[1] ?? '', path] as const),
  )
  return new Map(functions)
}

const camelCase = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The faults of a file's calls of writing functions. */
function issuesOf({ path, text }: Source, functions: ReadonlyMap<string, string>): string[] {
  const called = Array.from(text.matchAll(/quipu\.(\w+)\(/g), ([, name = '']) => name)
  const unnamed = called.flatMap((name) => {
    const migration = functions.get(name)
    return migration === undefined || text.includes(migration)
      ? []
      : [`${path} calls ${name} and does not name ${migration}`]
  })
  const statements = text.matchAll(/const (\w+)(?:: \w+)? = statement\('([\w.]+)'\)`([\s\S]*?)`/g)
  const misnamed = Array.from(statements).flatMap(([, constant, name = '', sql = '']) => {
    const [, fn = ''] = /quipu\.(\w+)\(/.exec(sql) ?? []
    if (!functions.has(fn)) return []
    // Where two statements call a function, the second one has a suffix.
    const [named, suffix] = name.split('.')
    const isRight = named === fn && (suffix !== undefined || constant === camelCase(fn))
    return isRight ? [] : [`${path}: the statement ${constant} calls ${fn} and is named ${name}`]
  })
  return [...new Set(unnamed), ...misnamed]
}

const functions = writingFunctions(migrations)

test('each file names the migrations of the functions that it calls, and calls them by their names', () => {
  expect(functions.size).toBeGreaterThan(40)
  expect(sources.flatMap((source) => issuesOf(source, functions))).toEqual([])
})

test('each file that a TypeScript file names as the place of a decision exists', () => {
  const paths = new Set(migrations.map(({ path }) => path))
  const named = sources.flatMap(({ text }) =>
    Array.from(text.matchAll(/migrations\/\d{4}-[\w-]+\.sql/g), ([path]) => path),
  )
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((path) => !paths.has(path))).toEqual([])
})
