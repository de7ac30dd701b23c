import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { type Block, type Document, repository } from './documents.fixture.ts'
import type { Home } from '../harness/start-harness.fixture.ts'

/** What a block of shell lines printed. */
export type Printed = { readonly block: Block; readonly output: string }

/** Ends a block's output; nothing else prints it. */
const mark = '\u001e'

/** A document's text with the ports and the folder of this home. */
export const hereIn = ({ base, dataDir }: Home, text: string): string =>
  text
    .replace(/(?<=127\.0\.0\.1:)40(0\d)/g, (_, port) => String(base + Number(port)))
    .replaceAll(/(?:\.\/)?\.quipu(?=[/ ])/g, dataDir)

/** Runs a document's shell lines in one shell, as a reader would who types them one after another. */
export async function runDocument({ file, blocks }: Document, home: Home): Promise<Printed[]> {
  const own = blocks.filter(({ language, notRun }) => language === 'sh' && notRun === undefined)
  const receiver = await freePort()
  const here = (text: string): string =>
    hereIn(home, text).replace(/(?<=127\.0\.0\.1:)8080/g, String(receiver))
  const script = own.map(({ text }) => `${here(text)}\nprintf '${mark}'\n`).join('')
  const { base_url: url } = await home.local()
  const env = { PORT: String(receiver), QUIPU_URL: url, QUIPU_DATA_DIR: home.dataDir }
  const { code, output, errors } = await shell(script, env)
  const outputs = output.split(mark)
  if (code !== 0) {
    const { line } = own[outputs.length - 1] ?? { line: 0 }
    throw new Error(`${file}:${line} ended with ${code}: ${outputs.at(-1)}\n${errors}`)
  }
  return own.map((block, index) => ({ block, output: outputs[index] ?? '' }))
}

async function shell(script: string, env: Record<string, string>) {
  const { npm_config_user_agent: _, ...inherited } = process.env
  const PATH = `${path.join(repository, 'node_modules', '.bin')}:${inherited['PATH']}`
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: repository,
    env: { ...inherited, ...env, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // A group of its own, to end what a document that fails leaves running.
  })
  let [output, errors] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const closed = once(child, 'close')
  const [code] = (await once(child, 'exit')) as [number | null]
  endGroup(child.pid)
  await closed
  return { code, output, errors }
}

function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL')
  } catch {
    // There is nothing left of it.
  }
}

/** Where a document has a server of the reader's listen. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
