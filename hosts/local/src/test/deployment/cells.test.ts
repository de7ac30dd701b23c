/** @module-tag long */
import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sha256 } from '@quipu/core/adapter'
import { createLogin, startReplicatedPostgres } from '@quipu/embedded-postgres'
import { migrate } from '@quipu/postgres'
import { freePort } from '@quipu/runtime'
import { expect, onTestFinished, test } from 'vitest'
import { askJson } from '../../ask-json.ts'
import { beginPayments, migratedCluster, roleDatabase } from '../harness/database-role.fixture.ts'
import { openPayoutHarness } from '../harness/payout-harness.fixture.ts'
import { run } from '../harness/process.fixture.ts'
import { onboard, type Payout, type Tenant, tenantAt } from '../harness/tenant.fixture.ts'
import { operationsFile } from './compose.fixture.ts'

/** Debian's package puts it where only root's PATH leads. */
const haproxy = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin']
  .map((folder) => path.join(folder, 'haproxy'))
  .find((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })

type Balancer = { readonly url: string; stop(): Promise<unknown> }

/** HAProxy with the documented configuration, on the ports of this machine. */
async function startHaproxy(program: string, folder: string, cells: Record<string, string>): Promise<Balancer> {
  const port = await freePort()
  const text = operationsFile('cells/haproxy.cfg')
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replaceAll('/etc/haproxy/quipu', folder)
    .replace(/\nbackend cell_h\n[^]*/, (h) => h + h.replaceAll('cell_h', 'cell_j').replaceAll('h-api', 'j-api'))
    .replaceAll(/ {2}server (.)-api-2.*\n/g, '')
    .replaceAll(
      /server (.)-api-1 \S+/g,
      (_, cell: string) => `server api ${new URL(cells[cell] ?? 'http://127.0.0.1:9').host}`,
    )
  const file = path.join(folder, 'haproxy.cfg')
  await writeFile(file, text)
  const child = spawn(program, ['-db', '-f', file], { stdio: 'ignore' })
  const ended = new Promise((resolve) => child.on('close', resolve))
  onTestFinished(() => void child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  await expect
    .poll(() =>
      fetch(`${url}/healthz`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200)
  return { url, stop: () => (child.kill('SIGTERM'), ended) }
}

/** Routes by the same files as HAProxy does, where it is not installed. */
async function startRouter(folder: string, cells: Record<string, string>): Promise<Balancer> {
  const lines = async (name: string) =>
    (await readFile(path.join(folder, name), 'utf8'))
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [line.split(' ')]))
  const [letters, moved] = [await lines('cells.map'), await lines('moved.map')]
  const server = createServer((req, res) => {
    const key = String(req.headers['x-api-key'] ?? '')
    const [, byHash] = moved.find(([hash]) => hash === sha256(key)) ?? []
    const [, byLetter] = letters.find(([prefix = '']) => key.startsWith(prefix)) ?? []
    const target = new URL(req.url ?? '/', cells[byHash ?? byLetter ?? 'g'])
    const passed = request(target, { method: req.method, headers: req.headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(res)
    }).on('error', () => res.writeHead(503).end('{"error":{"code":"OPERATION_UNCERTAIN"}}'))
    req.pipe(passed)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, stop: () => new Promise((resolve) => server.close(resolve)) }
}

const quipuAdmin = async (...args: string[]): Promise<string> => {
  const program = run('admin/src/main.ts', {}, args)
  expect([await program.ended, program.output()]).toEqual([0, expect.any(String)])
  return program.output()
}

test('a tenant moves to a second cell of three behind one balancer, and each cell goes on without the others', async () => {
  if (haproxy === undefined) console.warn('HAProxy is not installed (apt-get install haproxy): a router reads its maps')
  const folder = await mkdtemp(path.join(tmpdir(), 'quipu-cells-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }))
  await using resources = new AsyncDisposableStack()
  const template = await migratedCluster()
  const dataDir = path.join(folder, 'pair')
  const pair = resources.use(await startReplicatedPostgres({ dataDir, synchronous: false, template }))
  const [owner, standby] = [pair.primary.urlFor('quipu'), pair.standby.urlFor('quipu')]
  await beginPayments(owner)
  await migrate(owner, { cell: 'g' })
  const login = { name: 'quipu_app', password: 'choose one', memberOf: 'quipu_process' }
  const roleUrl = await createLogin(owner, login)
  const maps = path.join(folder, 'maps')
  await mkdir(maps)
  const [gEnv, hEnv] = [path.join(folder, 'g.env'), path.join(folder, 'h.env')]
  await writeFile(gEnv, `CELL=g\nDATABASE_URL=${owner}\n`)
  await writeFile(hEnv, `CELL=h\nDATABASE_URL=${standby}\n`)

  const g = resources.use(await openPayoutHarness({ url: owner, roleUrl }))
  const worker = await g.startWorker({ CELL: 'g' })
  const gApi = await g.startApi({ CELL: 'g' })
  const [stays, moves] = [await onboard(gApi.operatorUrl, roleUrl), await onboard(gApi.operatorUrl, roleUrl)]
  expect([stays, moves]).toEqual([
    expect.stringMatching(/^qpu_test_g[0-9a-f]{40}$/),
    expect.stringMatching(/^qpu_test_g/),
  ])

  const balance = async (cells: Record<string, string>): Promise<Balancer> =>
    resources.adopt(
      await (haproxy === undefined ? startRouter(maps, cells) : startHaproxy(haproxy, maps, cells)),
      (balancer) => balancer.stop().then(() => undefined),
    )
  const pay = async (tenant: Tenant, network = g): Promise<string> => {
    const { status, json } = await tenant.pay(await network.order(tenant))
    expect([status, (json as Payout).status]).toEqual([201, 'completed'])
    return (json as Payout).id
  }
  await quipuAdmin('cell', 'map', '--cells', gEnv, '--out', maps)
  const before = await balance({ g: gApi.url })
  for (const key of [stays, moves]) expect(await pay(tenantAt(before.url, key))).toMatch(/^po_.{10}G/)

  const [moving] = await g.database.query<{ id: string }>(
    `select tenant_id as id from quipu.api_key where hash = '${sha256(moves)}'`,
  )
  const splitFrom = (file: string) => ['cell', 'split', '--from', file, '--to', hEnv, '--tenants', moving?.id ?? '']
  const careful = path.join(folder, 'careful.env')
  await writeFile(careful, `CELL=g\nDATABASE_URL=${owner}\nDATABASE_STANDBY=required\n`)
  const refused = run('admin/src/main.ts', {}, splitFrom(careful))
  expect([await refused.ended, refused.output()]).toEqual([3, expect.stringContaining('no standby is required by the')])
  const split = await quipuAdmin(...splitFrom(gEnv))
  expect(split).toMatch(
    /prepare: .*\ndrain: .*\nstop: .*\nreplay: .*\npromote: .*\nenter: .*\nleave: .*\nfreeze: .*\nMoved: 1\./s,
  )
  await quipuAdmin('cell', 'map', '--cells', gEnv, hEnv, '--out', maps)
  expect(await readFile(path.join(maps, 'moved.map'), 'utf8')).toBe(`${sha256(moves)} h\n`)
  const status = JSON.parse(await quipuAdmin('cell', 'status', '--cells', gEnv, hEnv, '--json')) as { cells: object[] }
  expect(status.cells).toMatchObject([
    { letter: 'g', moving: [{ step: 'left' }] },
    { letter: 'h', isStandby: false },
  ])

  const hApi = await g.startApi({ CELL: 'h', DATABASE_URL: await createLogin(standby, login) })
  const j = resources.use(await roleDatabase())
  await migrate(j.url, { cell: 'j' })
  const jEnv = path.join(folder, 'j.env')
  await writeFile(jEnv, `CELL=j\nDATABASE_URL=${j.url}\n`)
  await quipuAdmin('cell', 'map', '--cells', gEnv, hEnv, jEnv, '--out', maps)
  const jApi = await g.startApi({ CELL: 'j', DATABASE_URL: j.roleUrl })
  const after = await balance({ g: gApi.url, h: hApi.url, j: jApi.url })
  const third = tenantAt(after.url, await onboard(jApi.operatorUrl, j.roleUrl))
  expect(await pay(third)).toMatch(/^po_.{10}J/)
  const [staying, moved] = [tenantAt(after.url, stays), tenantAt(after.url, moves)]
  expect(await pay(staying)).toMatch(/^po_.{10}G/)
  expect(await pay(moved)).toMatch(/^po_.{10}H/)
  const askStale = () => askJson(gApi.url, { method: 'GET', path: '/v1/wallets', headers: { 'x-api-key': moves } })
  // A key that was read before the stop is known for five seconds more.
  await expect.poll(async () => (await askStale()).status).toBe(503)
  const stale = await askStale()
  expect(stale).toMatchObject({ status: 503, json: { error: { code: 'SERVICE_UNAVAILABLE' } } })
  expect(stale.headers.get('retry-after')).not.toBeNull()
  // One of two balancers still has the old map.
  const order = await g.order(moved)
  expect((await tenantAt(gApi.url, moves).pay(order)).status).toBe(503)
  const paid = await moved.pay(order)
  expect([paid.status, (await tenantAt(gApi.url, moves).pay(order)).status]).toEqual([201, 503])
  expect(await moved.pay(order)).toMatchObject({ status: 201, json: { id: (paid.json as Payout).id } })

  await gApi.kill()
  await worker.kill()
  expect((await staying.get('/v1/wallets')).status).toBe(503)
  if (haproxy !== undefined) {
    const callback = async (letter: string) =>
      (
        await askJson(after.url, {
          method: 'POST',
          path: '/network/callbacks',
          body: { reference: `po_0123456789${letter}` },
        })
      ).status
    expect([await callback('G'), await callback('H'), await callback('7')]).toEqual([503, 401, 503])
  }
  expect(await pay(moved)).toMatch(/^po_.{10}H/)
  expect(await pay(third)).toMatch(/^po_.{10}J/)
  await jApi.kill()
  expect((await third.get('/v1/wallets')).status).toBe(503)
  expect(await pay(moved)).toMatch(/^po_.{10}H/)
})
