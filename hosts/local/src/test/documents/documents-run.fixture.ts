import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '@quipu/runtime'
import { type Block, type Document, repository } from './documents.fixture.ts'
import { programFile } from '../harness/program-file.fixture.ts'
import type { StartHarness } from '../harness/start-harness.fixture.ts'

/** The output of a shell block. */
export type Printed = { readonly block: Block; readonly output: string }

/** Separates the outputs of blocks; no block prints it. */
const mark = '\u001e'

/** Replaces the ports and data folder in a document's text by those of the harness. */
export const localized = ({ base, dataDir }: StartHarness, text: string): string =>
  text
    .replace(/(?<=127\.0\.0\.1:)40(0\d)/g, (_, port) => String(base + Number(port)))
    .replaceAll(/(?:\.\/)?\.quipu(?=[/ ])/g, dataDir)

/** As docs/operations/install.md defines it in a clone, but from the bundle. */
const quipuAdmin = `quipu-admin() { node_modules/.bin/node --conditions=source '${programFile('admin/src/main.ts')}' "$@"; }\n`

/** Runs all shell blocks of a document in one shell, in order. */
export async function runDocument({ file, blocks }: Document, harness: StartHarness): Promise<Printed[]> {
  const runnable = blocks.filter(({ language, notRun }) => language === 'sh' && notRun === undefined)
  const receiver = await freePort()
  const adapted = (text: string): string =>
    localized(harness, text).replace(/(?<=127\.0\.0\.1:)8080/g, String(receiver))
  const script = quipuAdmin + runnable.map(({ text }) => `${adapted(text)}\nprintf '${mark}'\n`).join('')
  const { base_url: url } = await harness.local()
  const env = { PORT: String(receiver), QUIPU_API_URL: url, QUIPU_DATA_DIR: harness.dataDir }
  const { npm_config_user_agent: _, ...inherited } = process.env
  const PATH = `${path.join(repository, 'node_modules', '.bin')}:${inherited['PATH']}`
  const { code, output, errors } = await shell(script, { ...inherited, ...env, PATH }, repository)
  // Lines of CSV end with a carriage return, which a terminal does not show.
  const outputs = output.replaceAll('\r\n', '\n').split(mark)
  if (code !== 0) {
    const { line } = runnable[outputs.length - 1] ?? { line: 0 }
    throw new Error(`${file}:${line} exited with ${code}: ${outputs.at(-1)}\n${errors}`)
  }
  return runnable.map((block, index) => ({ block, output: outputs[index] ?? '' }))
}

/** Runs a script in a folder, and ends what it leaves running. */
export async function shell(script: string, env: NodeJS.ProcessEnv, cwd: string) {
  const temporary = await mkdtemp(path.join(tmpdir(), 'quipu-document-')) // For its `mktemp`.
  await chmod(temporary, 0o755) // PostgreSQL may run as another user.
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd,
    env: { ...env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // Own process group, to kill the programs that a failing document leaves running.
  })
  let [output, errors] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const closed = once(child, 'close')
  const [code] = (await once(child, 'exit')) as [number | null]
  endGroup(child.pid)
  await closed
  await rm(temporary, { recursive: true, force: true, maxRetries: 20 })
  return { code, output, errors }
}

function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL')
  } catch {
    // The group has ended.
  }
}
