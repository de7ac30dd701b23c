import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ApiSettings } from '@quipu/api'
import { ExampleSettings } from '@quipu/example'
import { MigrationSettings } from '@quipu/runtime'
import { WorkerSettings } from '@quipu/worker'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { repository } from '../documents/documents.fixture.ts'
import { operationsFile, readCompose, readDockerfile, readPatroni, serviceOf } from './compose.fixture.ts'
import { missingReferences, readManifests } from './manifests.fixture.ts'

const images = readDockerfile()
const manifests = readManifests()
const containers = manifests.flatMap((one) =>
  one.kind === 'Deployment' || one.kind === 'Job' ? one.spec.template.spec.containers : [],
)
const compose = readCompose()

/** Variables that the programs read by their settings, and those that libraries read. */
const variablesOf = {
  api: [...Object.keys(ApiSettings.shape), 'NODE_ENV'],
  worker: [
    ...Object.keys(WorkerSettings.shape),
    'NODE_ENV',
    'AWS_REGION',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
  ],
  example: Object.keys(ExampleSettings.shape),
  admin: [...Object.keys(MigrationSettings.shape), 'QUIPU_OPERATOR_URL', 'QUIPU_OPERATOR_TOKEN_FILE'],
}
type Program = keyof typeof variablesOf
const isProgram = (name: string): name is Program => name in variablesOf

const seconds = (text = ''): number => {
  const [, number = '', unit = ''] = /^(\d+)(ms|s|m)?$/.exec(text.trim()) ?? []
  return Number(number) * ({ ms: 0.001, m: 60 }[unit] ?? 1)
}
const stopSeconds = (shape: { STOP_WITHIN_MS: { parse(value: unknown): number } }): number =>
  shape.STOP_WITHIN_MS.parse(undefined) / 1_000
const stopOf = { api: stopSeconds(ApiSettings.shape), worker: stopSeconds(WorkerSettings.shape) }

test('the Dockerfile runs deployed folders of this Node, as a user without rights', () => {
  const { nodeVersion } = parse(readFileSync(path.join(repository, 'pnpm-workspace.yaml'), 'utf8')) as {
    nodeVersion: string
  }
  const text = readFileSync(path.join(repository, 'hosts/Dockerfile'), 'utf8')
  expect(text).toContain(`ARG NODE=docker.io/library/node:${nodeVersion}-`)
  expect([...images.keys()]).toEqual(['build', 'run', ...Object.keys(variablesOf)])
  for (const name of Object.keys(variablesOf)) {
    const image = images.get(name)
    expect(image).toMatchObject({ base: '${NODE}', user: '1000:1000' })
    expect(image?.copies).toEqual([`/out/${name} .`])
    expect(text).toContain(`COPY --from=build /out/${name} .\n`)
    expect(text).toContain(`--filter @quipu/${name} deploy --prod /out/${name}\n`)
    if (name !== 'admin') expect(image?.healthcheck?.[2]).toContain('/healthz')
  }
  const ports = ['api', 'worker', 'example'].map((name) => images.get(name)?.ports)
  const { PORT, OPERATOR_PORT } = ApiSettings.shape
  expect(ports).toEqual([
    [PORT, OPERATOR_PORT].map((port) => String(port.parse(undefined))),
    [String(WorkerSettings.shape.WORKER_PORT.parse(undefined))],
    [String(ExampleSettings.shape.PORT.parse(undefined))],
  ])
})

test('the options of node are those of the guide, in images and units', () => {
  const guide = readFileSync(path.join(repository, 'docs/operations/deployment.md'), 'utf8')
  for (const name of ['api', 'worker'] as const) {
    const [node, ...flags] = images.get(name)?.cmd ?? []
    expect([node, flags.at(-1)]).toEqual(['node', 'dist/main.js'])
    for (const flag of flags.slice(0, -1)) {
      const [option = '', value = ''] = flag.split('=')
      expect(guide).toContain(`| \`${option}\` |`)
      if (value !== '') expect(guide).toContain(`\`${value}\``)
    }
    const unit = operationsFile(`systemd/quipu-${name}.service`)
    const [, start = ''] = /^ExecStart=\S+ (.*)$/m.exec(unit) ?? []
    expect(start).toBe([...flags.slice(0, -1), `/opt/quipu/${name}/dist/main.js`].join(' '))
  }
})

test('compose.yaml: each variable is a setting, each file exists, and no secret is written in it', () => {
  for (const [name, service] of Object.entries(compose.services)) {
    const { build, environment } = service
    if (build?.target === 'patroni') {
      const folder = path.join(repository, 'docs/operations', build.context)
      expect(existsSync(path.join(folder, build.dockerfile))).toBe(true)
      for (const variable of Object.keys(environment)) expect(variable).toMatch(/^(?:PATRONI_NAME$|ETCD_)/)
    } else if (build) {
      expect({ name, build }).toMatchObject({ build: { context: '../..', dockerfile: 'hosts/Dockerfile' } })
      expect(isProgram(build.target)).toBe(true)
      const known: readonly string[] = isProgram(build.target) ? variablesOf[build.target] : []
      expect(Object.keys(environment).filter((variable) => !known.includes(variable))).toEqual([])
      const hardening = { read_only: true, cap_drop: ['ALL'] }
      expect(service).toMatchObject({ ...hardening, security_opt: ['no-new-privileges:true'] })
    }
    for (const volume of service.volumes.filter((one) => one.startsWith('./'))) {
      const file = volume.split(':')[0]?.slice(2) ?? ''
      expect(existsSync(path.join(repository, 'docs/operations', file))).toBe(true)
    }
    for (const secret of service.secrets) expect(Object.keys(compose.secrets)).toContain(secret)
    for (const port of service.ports) expect(port).toMatch(/^127\.0\.0\.1:/)
  }
  const required = [...operationsFile('compose.yaml').matchAll(/\$\{([^}]*)\}/g)].map(([, one]) => one)
  expect(new Set(required)).toEqual(new Set(['QUIPU_CONFIG:?the folder of your settings and secrets']))
})

test('compose.yaml: the database fails over by itself, and nothing names its standbys', () => {
  const { etcd3, bootstrap } = readPatroni()
  expect(bootstrap.dcs).toMatchObject({
    ttl: 20,
    loop_wait: 2,
    retry_timeout: 5,
    // `quorum` lets a primary that starts alone confirm without a standby.
    synchronous_mode: 'on',
    synchronous_mode_strict: true,
    failsafe_mode: true,
    primary_start_timeout: 0,
  })
  const nodes = Object.keys(compose.services).filter((name) => name.startsWith('db-'))
  const members = Object.keys(compose.services).filter((name) => name.startsWith('etcd-'))
  expect(etcd3.hosts).toEqual(members.map((name) => `${name}:2379`))
  const proxy = operationsFile('patroni/haproxy.cfg')
  for (const name of nodes) {
    expect(serviceOf(compose, name).environment).toEqual({ PATRONI_NAME: name })
    expect(proxy.match(new RegExp(`^  server ${name} ${name}:5432$`, 'gm'))).toHaveLength(2)
  }
  expect([nodes.length, members.length]).toEqual([3, 3])
  const [, inter, fall] =
    /check port 8008 inter (\w+) fall (\d+) rise 1 on-marked-down shutdown-sessions/.exec(proxy) ?? []
  expect(seconds(inter) * Number(fall)).toBeLessThanOrEqual(2)
  expect(proxy).toContain('hard-stop-after 5s\n')
  expect(operationsFile('compose.yaml')).not.toContain('synchronous_standby_names')
})

test('each program that commits requires a standby', () => {
  const commits = (name = '') => isProgram(name) && variablesOf[name].includes('DATABASE_STANDBY')
  const services = Object.entries(compose.services).filter(
    ([, { build, env_file }]) => commits(build?.target) && env_file.length > 0,
  )
  expect(services.map(([name]) => name)).toEqual(['migrate', 'api-1', 'api-2', 'worker'])
  for (const [, { environment }] of services) expect(environment).toMatchObject({ DATABASE_STANDBY: 'required' })
  expect(containers.map(({ name }) => name).toSorted()).toEqual(['api', 'migrate', 'worker'])
  for (const { env } of containers) expect(env).toContainEqual({ name: 'DATABASE_STANDBY', value: 'required' })
  for (const name of ['api', 'worker'])
    expect(operationsFile(`systemd/quipu-${name}.service`)).toMatch(/^Environment=.* DATABASE_STANDBY=required /m)
})

test('compose.yaml: a stop has time to drain and to finish, and the load balancer sees it first', () => {
  const [api, worker] = [serviceOf(compose, 'api-1'), serviceOf(compose, 'worker')]
  const drain = Number(api.environment['DRAIN_SECONDS'])
  expect(seconds(api.stop_grace_period)).toBeGreaterThanOrEqual(drain + stopOf.api + 10)
  expect(seconds(worker.stop_grace_period)).toBeGreaterThanOrEqual(stopOf.worker + 10)
  const proxy = operationsFile('haproxy.cfg')
  const [, inter, fall] = /^ {2}default-server check inter (\w+) fall (\d+)/m.exec(proxy) ?? []
  expect(drain).toBeGreaterThan(seconds(inter) * Number(fall) + 1)
  expect(proxy).toContain('uri /readyz')
  for (const name of ['api-1', 'api-2']) {
    const { environment, networks } = serviceOf(compose, name)
    expect(proxy).toContain(`server ${name} ${name}:${environment['PORT'] ?? ''}\n`)
    const address = (networks as Record<string, { ipv4_address?: string }>)['operators']?.ipv4_address
    expect(environment['OPERATOR_HOST']).toBe(address)
    expect(operationsFile('prometheus.yml')).toContain(`'${address ?? ''}:${environment['OPERATOR_PORT'] ?? ''}'`)
  }
  expect(operationsFile('prometheus.yml')).toContain(
    `names: [worker], type: A, port: ${worker.environment['WORKER_PORT'] ?? ''},`,
  )
  const { scrape_configs: jobs } = parse(operationsFile('prometheus.yml')) as { scrape_configs: object[] }
  const credentials = { authorization: { credentials_file: '/run/secrets/prometheus_token' } }
  expect(jobs).toMatchObject(
    ['quipu-api', 'quipu-worker'].map((job_name) => ({ job_name, metrics_path: '/metrics', ...credentials })),
  )
  const queues = operationsFile('elasticmq.conf')
  for (const variable of ['SQS_QUEUE_URL', 'SQS_DEAD_LETTER_URL'])
    expect(queues).toContain(` ${worker.environment[variable]?.split('/').at(-1) ?? '?'} {`)
})

test('each Kubernetes manifest refers to what is there, and each pod has known settings and real probes', () => {
  expect(missingReferences(manifests)).toEqual([])
  for (const container of containers) {
    const program = container.name === 'migrate' ? 'admin' : container.name
    const known: readonly string[] = isProgram(program) ? variablesOf[program] : []
    const unknown = container.env?.filter(({ name }) => !known.includes(name) && name !== 'POD_IP')
    expect(unknown ?? []).toEqual([])
    if (program === 'admin') continue
    const ports = container.ports?.map(({ containerPort }) => String(containerPort))
    expect(ports).toEqual(images.get(program)?.ports)
    const paths = (['startup', 'readiness', 'liveness'] as const).map((kind) => container[`${kind}Probe`]?.httpGet.path)
    expect(paths).toEqual(['/healthz', '/readyz', '/healthz'])
  }
})

test('a Kubernetes pod has time to drain and to stop, and is never all of them at once', () => {
  for (const name of ['api', 'worker'] as const) {
    const own = manifests.filter(({ metadata }) => 'name' in metadata && metadata.name === `quipu-${name}`)
    const pod = own.find((one) => one.kind === 'Deployment')?.spec.template.spec
    const [container] = pod?.containers ?? []
    const set = container?.env?.find((one) => one.name === 'DRAIN_SECONDS')
    const drain = Number(set && 'value' in set ? set.value : 0)
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drain + stopOf[name] + 10)
    const { periodSeconds = 0, failureThreshold = 0 } = container?.readinessProbe ?? {}
    if (name === 'api') expect(drain).toBeGreaterThan(periodSeconds * failureThreshold + 5)
    expect(own).toContainEqual(
      expect.objectContaining({ kind: 'PodDisruptionBudget', spec: expect.objectContaining({ maxUnavailable: 1 }) }),
    )
    expect(own).toContainEqual(
      expect.objectContaining({ kind: 'NetworkPolicy', spec: expect.objectContaining({ policyTypes: ['Ingress'] }) }),
    )
  }
})

test('the systemd units have known settings and time to stop, and systemd accepts them', () => {
  for (const name of ['api', 'worker'] as const) {
    const unit = operationsFile(`systemd/quipu-${name}.service`)
    const [, variables = ''] = /^Environment=(.*)$/m.exec(unit) ?? []
    const set = Object.fromEntries(variables.split(' ').map((one) => one.split('='))) as Record<string, string>
    expect(Object.keys(set).filter((one) => !variablesOf[name].includes(one))).toEqual([])
    const [, stop] = /^TimeoutStopSec=(\w+)$/m.exec(unit) ?? []
    const drain = Number(set['DRAIN_SECONDS'] ?? 0)
    expect(seconds(stop)).toBeGreaterThanOrEqual(drain + stopOf[name] + 10)
    // The machine's own tool, where there is one. It complains that the program is not installed here.
    if (!existsSync('/usr/bin/systemd-analyze')) continue
    const file = path.join(repository, `docs/operations/systemd/quipu-${name}.service`)
    const check = `systemd-analyze verify "$0" 2>&1 | grep -v 'is not executable' || true`
    expect(execFileSync('bash', ['-c', check, file], { encoding: 'utf8' })).toBe('')
  }
})
