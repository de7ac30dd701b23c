import path from 'node:path'
import { parseArgs } from 'node:util'
import { waysOfThisMachine } from '../cluster/account.ts'
import { copyBinaries, findBinaries } from '../cluster/binaries.ts'
import { startPostgres } from './server.ts'

// A process that owns a server, for tests to kill: `start-server.fixture.ts DATA_DIR [--way=] [--uid=]`.
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { way: { type: 'string' }, uid: { type: 'string' } },
})
const [dataDir = ''] = positionals
const installed = findBinaries()
const binaries =
  values.uid === undefined ? installed : await becomeUser(Number(values.uid), dataDir)

const ways = waysOfThisMachine().filter(({ name }) => name === (values.way ?? name))
const { pid, url } = await startPostgres({ dataDir, durability: 'full' }, ways, binaries)
process.stdout.write(`${JSON.stringify({ pid, url })}\n`)
setInterval(() => {}, 1_000)

/**
 * Steps down from root, with a copy of the binaries beside the data: in a clone that only root may
 * enter, another user can read neither this file nor what npm installed.
 */
async function becomeUser(uid: number, dataDir: string) {
  const copied = await copyBinaries(installed, path.join(path.dirname(dataDir), 'binaries'))
  process.setgroups?.([])
  process.setgid?.(uid)
  process.setuid?.(uid)
  return copied
}
