import { startReplicatedPostgres } from '@quipu/embedded-postgres'
import { freePort } from '@quipu/runtime'
import { startQrNetwork } from '@quipu/simulators'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { operatorSettings, sqlAt } from '../admin/installation.fixture.ts'
import { startChain } from '../harness/chain.fixture.ts'
import { type Deployed, deployHosts, type DeployedHost } from '../harness/deployed.fixture.ts'
import { type Program } from '../harness/process.fixture.ts'
import { openSqs } from '../../start/sqs.ts'
import {
  commandOf,
  environmentOf,
  operationsFile,
  readCompose,
  readDockerfile,
  readPatroni,
  serviceOf,
} from './compose.fixture.ts'

/** The services of compose.yaml, as processes of this machine. */
export type ComposeRun = {
  readonly deployed: Deployed
  /** QUIPU_CONFIG: the operator's files. */
  readonly config: string
  /** Runs a service; `more` is what differs on one machine. */
  start(name: string, more?: Record<string, string>, ...args: string[]): Promise<Program>
  /** Runs a service to its end. @returns its output; throws if it fails */
  finish(name: string, more?: Record<string, string>, ...args: string[]): Promise<string>
  /** Runs the health check of a service's image. @returns its exit code */
  health(name: string, env: Record<string, string>): Promise<unknown>
  /** Writes a file of the operator. */
  write(file: string, content: string): Promise<void>
  /** The settings of SQS, in place of those of compose.yaml. */
  readonly sqs: Record<string, string>
}

const ownerPassword = "of the owner's"

/** A primary with its standby in place of the cluster, by the settings and the script of its nodes. */
async function startDatabase(resources: AsyncDisposableStack, folder: string): Promise<string> {
  const { archive_command, ...parameters } = readPatroni().bootstrap.dcs.postgresql.parameters
  const settings = { ...parameters, archive_command: archive_command.replaceAll('/archive', folder) }
  const dataDir = path.join(folder, 'postgres')
  const pair = resources.use(await startReplicatedPostgres({ dataDir, synchronous: true, settings }))
  const [, sql = ''] = /<<'SQL'\n(.*?)\nSQL\n/s.exec(operationsFile('patroni/bootstrap.sh')) ?? []
  const statements = sql.replaceAll(":'owner'", `'${ownerPassword.replaceAll("'", "''")}'`).split('\n')
  for (const statement of statements) await sqlAt(pair.address.url, statement)
  const owner = new URL(pair.address.urlFor('quipu'))
  owner.username = 'quipu_admin'
  owner.password = encodeURIComponent(ownerPassword)
  return owner.href
}

/** Starts what the services of Quipu need, and deploys them. */
export async function startComposeRun(resources: AsyncDisposableStack): Promise<ComposeRun> {
  const own = <T extends { stop(): Promise<void> }>(thing: T): T => resources.adopt(thing, () => thing.stop())
  const config = await mkdtemp(path.join(tmpdir(), 'quipu-compose-'))
  resources.defer(() => rm(config, { recursive: true, force: true, maxRetries: 20 }))
  const [deployed, ownerUrl] = await Promise.all([deployHosts(resources), startDatabase(resources, config)])
  const chain = own(await startChain())
  chain.mine(4)
  const token = 'the-token-of-the-network'
  const callbackSecret = 'f1'.repeat(16)
  const network = own(await startQrNetwork({ token, callbackSecret }))
  const { env: sqs } = own(await openSqs(await freePort()))
  const compose = readCompose()

  const write = async (file: string, content: string): Promise<void> => {
    await writeFile(path.join(config, file), content)
    await chmod(path.join(config, file), 0o600)
  }
  const hostOf = (name: string) => (serviceOf(compose, name).build?.target ?? '') as DeployedHost
  const start: ComposeRun['start'] = async (name, more = {}, ...args) => {
    const service = serviceOf(compose, name)
    const command = [...commandOf(args.length === 0 ? service : { ...service, command: args })]
    const env = { ...(await environmentOf(service, config)), ...more }
    return resources.adopt(deployed.run(hostOf(name), command, env), (program) => program.kill())
  }
  const finish: ComposeRun['finish'] = async (name, more, ...args) => {
    const program = await start(name, more, ...args)
    if ((await program.ended) !== 0) throw new Error(`${name} ${args.join(' ')}: ${program.output()}`)
    return program.output()
  }
  await write('owner.env', `DATABASE_URL=${ownerUrl}\n`)
  await write('settings.env', await operatorSettings(resources, { chain, network, token }))
  return {
    deployed,
    config,
    start,
    finish,
    write,
    sqs: { ...sqs },
    health: async (name, env) => {
      const check = readDockerfile().get(hostOf(name))?.healthcheck ?? []
      return deployed.run(hostOf(name), check, env).ended
    },
  }
}
