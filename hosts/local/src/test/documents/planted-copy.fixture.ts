import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { repository } from './documents.fixture.ts'

/** A change of a source file: the text that it replaces, once. */
export type Plant = { readonly file: string; readonly text: string; readonly by: string }

/** An error of the compiler in a file, with all lines of its message. */
export type Stop = { readonly file: string; readonly message: string }

/** Programs of a browser, their tests, and the hosts whose tests run in one have other global types. */
const exclude = [
  'packages/*/src/browser',
  'packages/console/src/*.test.ts',
  'packages/reference/src/sample',
  'hosts/api/src/test',
  'hosts/example/src/test',
]

const compilerOptions = {
  noEmit: true,
  composite: false,
  incremental: false,
  declaration: false,
  declarationMap: false,
  isolatedDeclarations: false,
  rootDir: '.',
}

/** Compiles a copy of all packages and hosts with changes, as one program. @returns what the compiler refuses */
export async function compilePlanted(plants: readonly Plant[]): Promise<readonly Stop[]> {
  const copy = await mkdtemp(path.join(tmpdir(), 'quipu-planted-'))
  try {
    await copySources(copy)
    for (const { file, text, by } of plants) {
      const source = await readFile(path.join(copy, file), 'utf8')
      if (source.split(text).length !== 2) throw new Error(`${file} does not have this text once: ${text}`)
      await writeFile(
        path.join(copy, file),
        source.replace(text, () => by),
      )
    }
    return await compile(copy)
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

/** Links between workspaces are relative, so those of the copy lead to the copy. */
async function copySources(copy: string): Promise<void> {
  await symlink(path.join(repository, 'node_modules'), path.join(copy, 'node_modules'))
  const isCopied = (from: string): boolean => !/\/(?:dist|\.\w+)$/.test(from)
  const manifests = globSync('{packages,hosts}/*/package.json', { cwd: repository })
  for (const part of manifests.map((file) => path.dirname(file)))
    await cp(path.join(repository, part), path.join(copy, part), {
      recursive: true,
      verbatimSymlinks: true,
      filter: isCopied,
    })
  const settings = {
    extends: './packages/config/tsconfig.base.json',
    compilerOptions,
    include: ['packages/*/src', 'hosts/*/src'],
    exclude,
  }
  await writeFile(path.join(copy, 'tsconfig.json'), JSON.stringify(settings))
}

async function compile(folder: string): Promise<readonly Stop[]> {
  const tsc = path.join(repository, 'node_modules/.bin/tsc')
  const options = { cwd: folder, maxBuffer: 64 * 2 ** 20 }
  // A program with errors ends with an exit code, which is no failure here.
  const output = await new Promise<string>((resolve) => {
    execFile(tsc, ['-p', '.', '--pretty', 'false'], options, (_, stdout) => resolve(stdout))
  })
  return output.split(/\n(?! )/).flatMap((message) => {
    const [, file] = /^(\S+)\(\d+,\d+\): error /.exec(message) ?? []
    return file === undefined ? [] : [{ file, message }]
  })
}
