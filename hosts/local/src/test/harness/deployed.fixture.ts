import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { repository } from '../documents/documents.fixture.ts'
import { packageOf } from './packages.fixture.ts'
import { type Program, runCommand } from './process.fixture.ts'

export const deployedHosts = ['api', 'worker', 'example', 'admin'] as const
export type DeployedHost = (typeof deployedHosts)[number]

/** The folders that `pnpm deploy --prod` writes, as in docs/operations/install.md and in the Dockerfile. */
export type Deployed = {
  readonly folderOf: (host: DeployedHost) => string
  /** Every file of a folder, without links. */
  filesOf(host: DeployedHost): readonly string[]
  /** Packages of npm in a folder. */
  installed(host: DeployedHost): ReadonlySet<string>
  /** Runs a command of an image in a host's folder. */
  run(host: DeployedHost, command: readonly string[], env: Record<string, string>): Program
}

const preload = `--import=${import.meta.resolve('./preload.fixture.ts')}`

/** Builds and deploys all hosts. */
export async function deployHosts(resources: AsyncDisposableStack): Promise<Deployed> {
  const root = await mkdtemp(path.join(tmpdir(), 'quipu-deployed-'))
  resources.defer(() => rm(root, { recursive: true, force: true, maxRetries: 20 }))
  const pnpm = (...args: string[]) =>
    promisify(execFile)('npx', ['-y', 'pnpm@12', ...args], { cwd: repository, maxBuffer: 64 * 1024 * 1024 })
  const folderOf = (host: DeployedHost): string => path.join(root, host)
  await pnpm('run', 'build')
  await Promise.all(
    deployedHosts.map((host) => pnpm('--filter', `@quipu/${host}`, 'deploy', '--prod', '--offline', folderOf(host))),
  )
  const filesOf = (host: DeployedHost): string[] => readdirSync(folderOf(host), { recursive: true, encoding: 'utf8' })
  return {
    folderOf,
    filesOf,
    installed: (host) => new Set(filesOf(host).flatMap((file) => packageOf(`/${file}`) ?? [])),
    run: (host, [program = '', ...args], env) =>
      runCommand(`${host}: ${args.at(-1) ?? ''}`, {
        command: [program === 'node' ? process.execPath : program, preload, ...args],
        cwd: folderOf(host),
        env,
      }),
  }
}
