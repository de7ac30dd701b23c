import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { generate as generateByOrval } from 'orval'
import { createClient as generateByHeyApi } from '@hey-api/openapi-ts'
import { repository } from '../documents/documents.fixture.ts'
import { programOverHeyApi, programOverOrval } from './generated-programs.fixture.ts'

/** The report of a program that pays and reads over a generated client. */
export type Report = {
  readonly resolved: { readonly amount_mode: string }
  readonly quoted: { readonly id: string; readonly source: { readonly amount: string } }
  readonly paid: { readonly id: string; readonly status: string; readonly description?: string }
  readonly again: { readonly id: string }
  readonly read: { readonly id: string; readonly status: string }
  /** The ids of the payouts of two pages. */
  readonly pages: readonly (readonly string[])[]
  readonly refused: { readonly status: number; readonly code: string; readonly message: string }
}

type Program = { run(baseUrl: string, apiKey: string): Promise<Report> }

/** A generator of clients, and a program over what it generates. */
export type Generator = {
  readonly name: string
  readonly program: string
  /** Writes a client of the OpenAPI document at `input` to the folder `output`. */
  write(input: string, output: string): Promise<unknown>
}

export const generators: readonly Generator[] = [
  {
    name: '@hey-api/openapi-ts, which checks every request and answer with zod',
    program: programOverHeyApi,
    write: (input, output) =>
      generateByHeyApi({
        input,
        output,
        logs: { level: 'silent' },
        plugins: ['@hey-api/client-fetch', 'zod', { name: '@hey-api/sdk', validator: true }],
      }),
  },
  {
    name: 'orval, with its client on fetch',
    program: programOverOrval,
    write: (input, output) =>
      generateByOrval({ input: { target: input }, output: { target: path.join(output, 'index.ts'), client: 'fetch' } }),
  },
]

/** Generates a client from an OpenAPI document, compiles the generator's program over it, and loads that program. */
export async function generatedProgram(generator: Generator, document: unknown): Promise<Program & AsyncDisposable> {
  const folder = await mkdtemp(path.join(tmpdir(), 'quipu-generated-'))
  // Imports of generated code.
  await symlink(path.join(repository, 'hosts/local/node_modules'), path.join(folder, 'node_modules'))
  const input = path.join(folder, 'openapi.json')
  const file = path.join(folder, 'program.ts')
  await writeFile(input, JSON.stringify(document))
  await writeFile(file, generator.program)
  await generator.write(input, path.join(folder, 'client'))
  await compile(file, folder)
  const { run } = (await import(file)) as Program
  return { run, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

/** Throws with the compiler's messages. */
async function compile(file: string, folder: string): Promise<void> {
  const tsc = path.join(repository, 'node_modules/typescript/bin/tsc')
  const target = ['--target', 'es2024', '--module', 'preserve', '--lib', 'es2024,dom,dom.iterable']
  const strict = ['--strict', '--noEmit', '--types', '']
  const args = [tsc, ...target, ...strict, file]
  const compiler = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  const [messages] = await Promise.all([readText(compiler.stdout), once(compiler, 'exit')])
  if (compiler.exitCode !== 0) throw new Error(`the generated client does not compile:\n${messages}`)
}
