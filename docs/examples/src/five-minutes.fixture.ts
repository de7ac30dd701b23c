import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('../../..', import.meta.url))

/** Builds and packs the client. @returns its archive, which the stack removes */
export async function packClient(opened: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'quipu-packed-'))
  opened.defer(() => rm(folder, { recursive: true }))
  const run = (program: string, ...args: string[]) => execFileSync(program, args, { cwd: repository, stdio: 'pipe' })
  run(path.join(repository, 'node_modules', '.bin', 'tsc'), '-b', 'packages/client')
  run('npx', '-y', 'pnpm@12', '--filter=@quipu/client', 'pack', '--pack-destination', folder)
  return path.join(folder, ...(await readdir(folder)))
}

/** A shell block of the guide, as it ran. */
export type Step = { readonly printed: string; readonly seconds: number }

/** The example server, as the guide starts it. */
export type ExampleServer = AsyncDisposable & { readonly url: string; readonly seconds: number }

export async function startExampleServer(): Promise<ExampleServer> {
  const startedAt = performance.now()
  const { scripts } = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8')) as {
    readonly scripts: { readonly example: string }
  }
  const [, ...args] = scripts.example.split(' ')
  const env = { ...process.env, PORT: '0', LOG_LEVEL: 'warn', WEBHOOK_ALLOW_PRIVATE: 'true' }
  const child = spawn(process.execPath, args, { cwd: repository, env })
  const url = await announced(child)
  return {
    url,
    seconds: (performance.now() - startedAt) / 1000,
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit')
      child.kill('SIGINT')
      await exited
    },
  }
}

async function announced({ stdout, stderr }: ChildProcess): Promise<string> {
  let output = ''
  stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  for await (const chunk of stdout ?? []) {
    output += String(chunk)
    const [url] = /http:\S+/.exec(output) ?? []
    if (url !== undefined) return url
  }
  throw new Error(`the example server has ended: ${output}`)
}

/** The shell blocks below a heading of the guide. */
function blocksOf(heading: string): string[] {
  const guide = readFileSync(path.join(repository, 'docs', 'guides', 'five-minutes.md'), 'utf8')
  const [, section = ''] = guide.split(`\n## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  return Array.from(own.matchAll(/^```sh\n([^]*?)^```$/gm), ([, text = '']) => text)
}

/** Runs the blocks below a heading in one shell, in an empty folder, and times each. */
export async function runGuide(heading: string, env: Record<string, string>): Promise<Step[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'quipu-five-minutes-'))
  const port = await freePort()
  const blocks = blocksOf(heading).map((text) => text.replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`))
  const script = blocks
    .map((text) => text.replaceAll("listen(8080, '", `listen(${port}, '`))
    .map((text) => `${text}\nprintf '\\036%s\\036' "$(node -p 'Date.now()')"\n`)
    .join('')
  const npm = { npm_config_audit: 'false', npm_config_fund: 'false', npm_config_offline: 'true' }
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { ...process.env, ...npm, HOME: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // Own process group, to end what a failing block leaves running.
  })
  let [output, errors] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const startedAt = Date.now()
  const closed = once(child, 'close')
  const [code] = (await once(child, 'exit')) as [number | null]
  endGroup(child)
  await closed
  await rm(folder, { recursive: true })
  const parts = output.split('\u001e')
  if (code !== 0) throw new Error(`block ${parts.length >> 1} ended with ${code}: ${output}\n${errors}`)
  const ends = blocks.map((_, n) => Number(parts[2 * n + 1]))
  return blocks.map((_, n) => ({
    printed: parts[2 * n] ?? '',
    seconds: ((ends[n] ?? 0) - (ends[n - 1] ?? startedAt)) / 1000,
  }))
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has ended.
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
