import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../harness/process.fixture.ts'
import { available, openHome, tenants } from '../harness/start-harness.fixture.ts'

const text = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '')
const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  )

/** Instants of the very first start, by what it leaves behind, each later than the one before. */
const moments: readonly [string, (dataDir: string) => Promise<boolean>][] = [
  ['it has secrets', (dir) => exists(path.join(dir, 'secrets.json'))],
  [
    'a cluster is being made',
    async (dir) =>
      (await readdir(path.join(dir, 'postgres'), { recursive: true }).catch(() => [])).some(
        (name) => name.endsWith('PG_VERSION'),
      ),
  ],
  ['the cluster is made', (dir) => exists(path.join(dir, 'postgres', '18'))],
  ['the network keeps books', (dir) => exists(path.join(dir, 'qr-network', 'qr-network.jsonl'))],
  [
    'the API is started',
    async (dir) => (await text(path.join(dir, 'quipu.log'))).includes('api started'),
  ],
  [
    'the tenant is created',
    async (dir) =>
      (await text(path.join(dir, 'quipu.log'))).includes(
        '"path":"/operator/v1/tenants","status":201',
      ),
  ],
  [
    'the tenant is known',
    async (dir) => (await text(path.join(dir, 'secrets.json'))).includes('tenant_id'),
  ],
  [
    'a key is issued',
    async (dir) => /api-keys","status":201/.test(await text(path.join(dir, 'quipu.log'))),
  ],
  [
    'the key is kept',
    async (dir) => (await text(path.join(dir, 'secrets.json'))).includes('api_key'),
  ],
  ['it is ready', (dir) => exists(path.join(dir, 'local.json'))],
]

test('the very first start, killed again and again: one tenant with exactly 1,000 USDT', async () => {
  await using home = await openHome()
  for (const [what, hasCome] of moments) {
    const program = home.start()
    await until(`${what}: ${program.output()}`, async () => {
      if (!program.isRunning()) throw new Error(`${what}: ended with ${program.output()}`)
      return (await hasCome(home.dataDir)) || /To stop/.test(program.output())
    })
    await program.kill()
  }

  await home.started()
  const file = await home.local()
  expect(await tenants(file)).toMatchObject([{ id: file.tenant_id, margin_bps: 150 }])
  expect(await available(file)).toBe('1000.000000')
})
