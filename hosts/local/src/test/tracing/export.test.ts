import { beforeAll, expect, test } from 'vitest'
import { type RoleDatabase, roleDatabase } from '../harness/database-role.fixture.ts'
import { type Program, runSource, until } from '../harness/process.fixture.ts'
import { environment, recorder } from './tracing.fixture.ts'

let database: RoleDatabase

beforeAll(async () => {
  database = await roleDatabase()
  return () => database[Symbol.asyncDispose]()
})

const always = { OTEL_TRACES_SAMPLER: 'always_on' }

/** An API process that lists the packages of OpenTelemetry that it loads. */
async function startedApi(env: Record<string, string>): Promise<Program & { url: string }> {
  const preload = new URL('./listed-modules.fixture.ts', import.meta.url)
  const program = runSource('api/src/main.ts', {
    ...environment(database, 'http://127.0.0.1:9'),
    NODE_OPTIONS: `--import=${preload.href}`,
    ...env,
  })
  const [, url = ''] = await program.untilOutput(/"url":"([^"]+)"/)
  return { ...program, url }
}

const loadedBy = ({ output }: Program): string[] =>
  Array.from(output().matchAll(/^loads @opentelemetry\/(.+)$/gm), ([, name = '']) => name)

test('without a collector a process loads the API of OpenTelemetry only', async () => {
  const api = await startedApi({})
  expect((await fetch(`${api.url}/v1/wallets`)).status).toBe(401)
  expect(loadedBy(api)).toEqual(['api'])
  await api.kill()
})

test('with a collector a process sends its spans, the last ones when it stops', async () => {
  const collector = await recorder()
  const api = await startedApi({
    ...always,
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/tenant/`,
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging-7',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=the%20key,x-other=1',
  })
  await fetch(`${api.url}/v1/wallets`)
  await fetch(`${api.url}/healthz`)
  api.signal('SIGTERM')
  expect(await api.ended).toBe(0)
  expect(loadedBy(api)).toContain('sdk-trace')
  const [sent] = collector.arrived
  expect(sent?.path).toBe('/tenant/v1/traces')
  expect(sent?.headers).toMatchObject({
    'content-type': 'application/x-protobuf',
    'x-collector-key': 'the key',
    'x-other': '1',
  })
  const text = collector.arrived.map(({ body }) => body.toString('latin1')).join('')
  expect(text).toContain('quipu-api')
  expect(text).toContain('staging-7')
  expect(text).toContain('AUTHENTICATION_FAILED')
  expect(text).not.toContain('healthz')
  await collector.stop()
})

test('a process whose collector is down serves and stops, and says that spans are lost', async () => {
  const api = await startedApi({ ...always, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
  expect((await fetch(`${api.url}/v1/wallets`)).status).toBe(401)
  api.signal('SIGTERM')
  expect(await api.ended).toBe(0)
  await until('the loss is logged', () => api.output().includes('spans of traces were lost'))
  expect(api.output()).toContain('"failed":')
})
