import path from 'node:path'
import { parseArgs } from 'node:util'
import { launchMethods } from '../cluster/account.ts'
import { copyBinaries, findBinaries } from '../cluster/binaries.ts'
import { startPostgres } from './server.ts'

// A process that owns a server, for tests to kill: `start-server.fixture.ts DATA_DIR [--method=] [--uid=]`.
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { method: { type: 'string' }, uid: { type: 'string' } },
})
const [dataDir = ''] = positionals
const installed = findBinaries()
const binaries = values.uid === undefined ? installed : await becomeUser(Number(values.uid), dataDir)

const methods = launchMethods().filter(({ name }) => name === (values.method ?? name))
const { pid, url } = await startPostgres({ dataDir, durability: 'full' }, methods, binaries)
process.stdout.write(`${JSON.stringify({ pid, url })}\n`)
setInterval(() => {}, 1_000)

/**
 * Changes from root to another user, with a copy of the binaries beside the data, as that user may be unable
 * to read this clone and its node_modules.
 */
async function becomeUser(uid: number, dataDir: string) {
  const copied = await copyBinaries(installed, path.join(path.dirname(dataDir), 'binaries'))
  process.setgroups?.([])
  process.setgid?.(uid)
  process.setuid?.(uid)
  return copied
}
