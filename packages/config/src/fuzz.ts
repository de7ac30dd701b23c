// Fuzzes the API and the example server: `node fuzz.ts [--requests N] [--seed N]`. Both get N requests from their documents.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_007) },
  },
})
for (const [name, value] of Object.entries(values)) {
  if (/^[1-9][0-9]{0,8}$/.test(value)) continue
  console.error(`--${name} must be a whole number from 1 to 999999999, and is ${value}`)
  process.exit(2)
}
const { requests, seed } = values
console.log(`${requests} requests to each server, seed ${seed}`)
const tests = ['hosts/api/src/test/fuzz', 'hosts/example/src/test/fuzz']
const { status } = spawnSync(process.execPath, ['packages/config/src/run-tests.ts', ...tests], {
  stdio: 'inherit',
  env: { ...process.env, QUIPU_FUZZ_REQUESTS: requests, QUIPU_FUZZ_SEED: seed },
})
process.exitCode = status ?? 1
