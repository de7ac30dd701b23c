import { waysOfThisMachine } from './account.ts'
import { startPostgres } from './server.ts'

// A process that owns a server, for tests to kill: `start-server.fixture.ts DATA_DIR [WAY]`.
const [dataDir = '', way] = process.argv.slice(2)
const ways = waysOfThisMachine().filter(({ name }) => way === undefined || name === way)
const { pid, url } = await startPostgres({ dataDir, durability: 'full' }, ways)
process.stdout.write(`${JSON.stringify({ pid, url })}\n`)
setInterval(() => {}, 1_000)
