import { bundledCommand } from '@quipu/client/bundle'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** How a command ended, and what it wrote. */
export type Ended = { readonly code: number | null; readonly out: string; readonly error: string }

export type RunOptions = {
  readonly env?: Readonly<Record<string, string>>
  /** Standard input. */
  readonly input?: string
}

/** The `quipu` of the package's archive, installed for a user of its own. */
export type InstalledCommand = AsyncDisposable & {
  /** The home of the user: `HOME`. */
  readonly home: string
  /** The folder of the program, for `PATH`. */
  readonly folder: string
  run(args: readonly string[], options?: RunOptions): Promise<Ended>
  /** Starts a command that runs until it is stopped. */
  start(args: readonly string[], options?: RunOptions): Running
}

export type Running = { readonly ended: Promise<Ended>; out(): string; stop(): void }

export async function installCommand(): Promise<InstalledCommand> {
  const home = await mkdtemp(path.join(tmpdir(), 'quipu-command-'))
  const folder = path.join(home, 'dist', 'command')
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(home, 'package.json'), '{"type":"module"}')
  const program = path.join(folder, 'quipu.js')
  await writeFile(program, await bundledCommand())
  await writeFile(path.join(folder, 'quipu'), `#!/bin/sh\nexec ${process.execPath} ${program} "$@"\n`)
  await chmod(path.join(folder, 'quipu'), 0o755)
  const children: ChildProcess[] = []
  const start: InstalledCommand['start'] = (args, { env = {}, input = '' } = {}) => {
    const child = spawn(process.execPath, [program, ...args], { cwd: home, env: { HOME: home, ...env } })
    children.push(child)
    let [out, error] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (error += text))
    child.stdin.on('error', () => undefined) // It may end without reading.
    child.stdin.end(input)
    const closed = once(child, 'close') as Promise<[number | null]>
    const ended = closed.then(([code]) => ({ code, out, error }))
    return { ended, out: () => out + error, stop: () => void child.kill('SIGINT') }
  }
  return {
    home,
    folder,
    start,
    run: (args, options) => start(args, options).ended,
    async [Symbol.asyncDispose]() {
      for (const child of children) if (child.exitCode === null) child.kill('SIGKILL')
      await rm(home, { recursive: true })
    },
  }
}
