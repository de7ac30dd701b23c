import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createLogin, type PostgresServer, startPostgres } from '@quipu/embedded-postgres'
import { migrate } from '@quipu/postgres'
import { expect, test } from 'vitest'
import { expectOneStory } from '../harness/expect-payout.fixture.ts'
import { freePorts } from '../../start/ports.ts'
import { until } from '../harness/process.fixture.ts'
import { openWorld } from '../harness/payout-harness.fixture.ts'

const uncertain = { status: 503, json: { error: { code: 'OPERATION_UNCERTAIN' } } }

/** A PostgreSQL that can be stopped and is found at the same address when it is started again. */
async function ownServer() {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'quipu-gone-'))
  const { postgres: port } = await freePorts()
  let server: PostgresServer | undefined
  const start = async (): Promise<string> => {
    server = await startPostgres({ dataDir, durability: 'none', port })
    return server.url
  }
  const stop = async (): Promise<void> => server?.stop()
  return {
    start,
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
      await rm(dataDir, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}

test('the database goes away in mid-payment: 503 OPERATION_UNCERTAIN, and the resend is right', async () => {
  await using server = await ownServer()
  const url = await server.start()
  await migrate(url)
  const login = { name: 'quipu_app', password: 'choose one', memberOf: 'quipu_process' }
  await using world = await openWorld({ url, roleUrl: await createLogin(url, login) })
  world.openWorker()
  const api = await world.openApi()
  const [begun, unbegun] = [await world.order(api), await world.order(api)]
  await world.network.setFaults({ hold: 'before_paying' })
  const answer = api.pay(begun)
  await world.network.untilHeld()

  await server.stop()
  world.network.release()
  expect(await answer).toMatchObject(uncertain) // The network has paid, and it cannot be recorded.
  expect(await api.pay(begun)).toMatchObject(uncertain)
  expect(await api.pay(unbegun)).toMatchObject(uncertain)

  await server.start()
  await until('the API is ready again', async () => (await api.get('/readyz')).status === 200)
  expect(await expectOneStory(expect, world, api, begun)).toMatchObject({ status: 'completed' })
  expect(await api.pay(unbegun)).toMatchObject({ status: 201, json: { status: 'completed' } })
  expect(await expectOneStory(expect, world, api, unbegun)).toMatchObject({ status: 'completed' })
})
