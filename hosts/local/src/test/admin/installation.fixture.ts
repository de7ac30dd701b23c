import { createDatabase, startPostgres } from '@quipu/embedded-postgres'
import { freePort } from '@quipu/runtime'
import type { QrNetworkSimulator, TronDevnet } from '@quipu/simulators'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseEnv } from 'node:util'
import pg from 'pg'
import { shell } from '../documents/documents-run.fixture.ts'
import { readDocument } from '../documents/documents.fixture.ts'
import { chainEnvironment } from '../harness/chain.fixture.ts'
import { rateServer } from '../harness/listener.fixture.ts'
import { proxy } from '../harness/proxy.fixture.ts'
import { programFile } from '../harness/program-file.fixture.ts'

/** How a shell block ended. */
export type Ran = { readonly code: unknown; readonly output: string; readonly errors: string }

/** A folder for an operator, and an empty database on a server of its own, whose owner is no superuser. */
export type EmptyInstallation = {
  readonly folder: string
  /** The URL of the role that owns the database and may create roles. */
  readonly ownerUrl: string
  readonly superuserUrl: string
  /** Runs the n-th block of "A new installation" in the folder, with values in place of the document's. */
  runBlock(index: number, values: Readonly<Record<string, string>>): Promise<Ran>
  /** The variables of environment files in the folder. */
  variables(...files: string[]): Promise<Record<string, string>>
}

/** The server has its own roles, as `migrate` creates some. */
export async function emptyInstallation(resources: AsyncDisposableStack): Promise<EmptyInstallation> {
  const folder = await mkdtemp(path.join(tmpdir(), 'quipu-install-'))
  resources.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }))
  const dataDir = path.join(folder, 'server')
  const server = await startPostgres({ dataDir, durability: 'none', port: await freePort() })
  resources.defer(() => server.stop())
  await createDatabase(server, 'quipu')
  const superuserUrl = server.urlFor('quipu')
  await sqlAt(superuserUrl, `create role owner login createrole password 'of the owner'`)
  await sqlAt(superuserUrl, 'alter database quipu owner to owner')
  const owner = new URL(superuserUrl)
  owner.username = 'owner'
  owner.password = 'of the owner'
  return {
    folder,
    ownerUrl: owner.href,
    superuserUrl,
    runBlock: (index, values) => runInstalling(folder, index, values),
    async variables(...files) {
      const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')))
      return Object.assign({}, ...texts.map((text) => parseEnv(text))) as Record<string, string>
    },
  }
}

/** The text of a file with the settings that only the operator knows. */
export async function operatorSettings(
  resources: AsyncDisposableStack,
  world: { readonly chain: TronDevnet; readonly network: QrNetworkSimulator; readonly token: string },
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { chain, network, token } = world
  const verifier = resources.adopt(await proxy(chain.url), (it) => it.stop())
  const sources = [resources.use(await rateServer('9.9500')), resources.use(await rateServer('9.9600'))]
  const { ADDRESS_MAC_KEY: _, ...tron } = await chainEnvironment(chain)
  const settings = {
    ENVIRONMENT: 'sandbox',
    QR_NETWORK_URL: network.url,
    QR_NETWORK_IDENTITY: 'simulator',
    QR_NETWORK_TOKEN: token,
    RATE_SOURCE: 'composite',
    RATE_SOURCES: JSON.stringify(sources.map(({ url }) => ({ url, bid_path: 'bid' }))),
    ...tron,
    TRON_VERIFIER_URL: verifier.url,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ...more,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name}='${value}'\n`)
  return lines.join('')
}

/** Runs a statement with a connection of its own. */
export async function sqlAt(url: string, text: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(text)
  await client.end()
}

function installingBlock(index: number): string {
  const { text, blocks } = readDocument('docs/operations/install.md')
  const from = text.slice(0, text.indexOf('\n## A new installation\n')).split('\n').length
  const ofSection = blocks.filter(({ line }) => line > from)
  const block = ofSection[index]
  if (block === undefined) throw new Error(`docs/operations/install.md has no block ${index} there`)
  return block.text
}

async function runInstalling(folder: string, index: number, values: Readonly<Record<string, string>>): Promise<Ran> {
  const main = programFile('admin/src/main.ts')
  const command = `quipu-admin() { '${process.execPath}' --conditions=source '${main}' "$@"; }\n`
  const script = Object.entries(values).reduce((text, [documented, value]) => {
    if (!text.includes(documented)) throw new Error(`block ${index} has no ${documented}`)
    return text.replaceAll(documented, value)
  }, installingBlock(index))
  const { PATH, NODE_COMPILE_CACHE } = process.env
  return shell(command + script, { PATH, NODE_COMPILE_CACHE }, folder)
}
