import { chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../harness/process.fixture.ts'
import { available, openStartHarness, tenants } from '../harness/start-harness.fixture.ts'

const text = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '')
const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  )

/** Stages of a first start in order, recognized by what they write. */
const stages: readonly [string, (dataDir: string) => Promise<boolean>][] = [
  ['secrets are generated', (dir) => exists(path.join(dir, 'secrets.json'))],
  [
    'initdb is running',
    async (dir) =>
      (await readdir(path.join(dir, 'postgres'), { recursive: true }).catch(() => [])).some((name) =>
        name.endsWith('PG_VERSION'),
      ),
  ],
  ['the cluster is created', (dir) => exists(path.join(dir, 'postgres', '18'))],
  ['the network has a journal', (dir) => exists(path.join(dir, 'qr-network', 'qr-network.jsonl'))],
  ['the API is started', async (dir) => (await text(path.join(dir, 'quipu.log'))).includes('api started')],
  [
    'the tenant is created',
    async (dir) => (await text(path.join(dir, 'quipu.log'))).includes('"path":"/operator/v1/tenants","status":201'),
  ],
  ['the tenant is stored', async (dir) => (await text(path.join(dir, 'secrets.json'))).includes('tenant_id')],
  ['a key is issued', async (dir) => /api-keys","status":201/.test(await text(path.join(dir, 'quipu.log')))],
  ['the key is stored', async (dir) => (await text(path.join(dir, 'secrets.json'))).includes('api_key')],
  ['start is ready', (dir) => exists(path.join(dir, 'local.json'))],
]

test('a first start, killed at every third stage: one tenant with exactly 1,000 USDT', () => killedAtEvery(3))

test('a first start, killed at every stage: one tenant with exactly 1,000 USDT', { tags: 'long' }, () =>
  killedAtEvery(1),
)

async function killedAtEvery(nth: number): Promise<void> {
  // A start that is killed before it has recorded the folder of its socket leaves it.
  const temporary = await mkdtemp(path.join(tmpdir(), 'quipu-killed-'))
  onTestFinished(() => rm(temporary, { recursive: true, force: true, maxRetries: 20 }))
  await chmod(temporary, 0o755) // PostgreSQL may run as another user.
  await using harness = await openStartHarness()
  for (const [stage, isReached] of stages.filter((_, index) => index % nth === 0)) {
    const program = harness.start({ TMPDIR: temporary })
    await until(`${stage}: ${program.output()}`, async () => {
      if (!program.isRunning()) throw new Error(`${stage}: the program ended: ${program.output()}`)
      return (await isReached(harness.dataDir)) || /To stop/.test(program.output())
    })
    await program.kill()
  }

  await harness.started()
  const file = await harness.local()
  expect(await tenants(file)).toMatchObject([{ id: file.tenant_id, margin_bps: 150 }])
  expect(await available(file)).toBe('1000.000000')
}
