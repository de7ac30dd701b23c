// A program: runs one statement over and over on the database at the given URL, and prints how many bytes
// were promoted to the old generation of its heap meanwhile.
import { getHeapSpaceStatistics } from 'node:v8'
import pg from 'pg'
import { runStatement } from './run-statement.ts'

const [, , url = '', times = '', size = ''] = process.argv
const client = new pg.Client(url)
await client.connect()
const oldBytes = (): number =>
  getHeapSpaceStatistics().find((space) => space.space_name === 'old_space')?.space_used_size ?? 0

let [before, grown] = [oldBytes(), 0]
for (let n = 0; n < Number(times); n++) {
  const values = [`${n}`.padEnd(Number(size))]
  await runStatement(client, { name: 'length', text: 'select length($1) as length' }, values, 10_000)
  const now = oldBytes()
  grown += Math.max(0, now - before)
  before = now
}
await client.end()
process.stdout.write(`${grown}`)
