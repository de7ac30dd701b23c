import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { DockerfileParser, type Instruction } from 'dockerfile-ast'
import { parse } from 'yaml'
import { z } from 'zod'
import { repository } from '../documents/documents.fixture.ts'

const text = z.string()
const texts = z.array(text)
const healthcheck = z.strictObject({ test: texts, interval: text, timeout: text, start_period: text, retries: z.int() })

/** The part of the compose specification that compose.yaml uses. Strict, so that a misspelled member is found. */
const service = z.strictObject({
  image: text.regex(/^(?:quipu\/\w+|docker\.io\/.+:[\w.-]*\d[\w.-]*)$/, 'names a version'),
  build: z.strictObject({ context: text, dockerfile: text, target: text }).optional(),
  entrypoint: texts.optional(),
  command: texts.optional(),
  user: text.optional(),
  environment: z.record(text, text).default({}),
  env_file: texts.default([]),
  secrets: texts.default([]),
  volumes: texts.default([]),
  ports: texts.default([]),
  networks: z.union([texts, z.record(text, z.strictObject({ ipv4_address: text.optional() }))]),
  profiles: texts.optional(),
  depends_on: z.union([texts, z.record(text, z.strictObject({ condition: text }))]).optional(),
  deploy: z.strictObject({ replicas: z.int() }).optional(),
  healthcheck: healthcheck.optional(),
  restart: z.enum(['unless-stopped', 'no']),
  read_only: z.boolean().optional(),
  cap_drop: texts.optional(),
  security_opt: texts.optional(),
  stop_grace_period: text.optional(),
  mem_limit: text.optional(),
  shm_size: text.optional(),
  logging: z.strictObject({ driver: text, options: z.record(text, text) }).optional(),
})
export type Service = z.output<typeof service>

const compose = z.strictObject({
  name: text,
  services: z.record(text, service),
  networks: z.record(
    text,
    z.strictObject({
      internal: z.boolean().optional(),
      ipam: z.strictObject({ config: z.array(z.strictObject({ subnet: text })) }).optional(),
    }),
  ),
  volumes: z.record(text, z.strictObject({})),
  secrets: z.record(text, z.strictObject({ file: text })),
})
export type Compose = z.output<typeof compose>

export const operationsFile = (file: string): string =>
  readFileSync(path.join(repository, 'docs/operations', file), 'utf8')

/** compose.yaml with its merges, without the `x-` parts. */
export function readCompose(): Compose {
  const all = parse(operationsFile('compose.yaml'), { merge: true }) as Record<string, unknown>
  return compose.parse(Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith('x-'))))
}

const patroni = z.object({
  etcd3: z.object({ hosts: texts }),
  bootstrap: z.object({
    dcs: z.looseObject({
      postgresql: z.object({ parameters: z.object({ archive_command: text }).catchall(z.coerce.string()) }),
    }),
  }),
})

/** The configuration of a database node. */
export const readPatroni = (): z.output<typeof patroni> => patroni.parse(parse(operationsFile('patroni/patroni.yml')))

/** A service; throws if there is none. */
export function serviceOf({ services }: Compose, name: string): Service {
  const found = services[name]
  if (!found) throw new Error(`compose.yaml has no service ${name}`)
  return found
}

/** The variables of a service: those of its files, and its own ones. */
export async function environmentOf(
  { env_file, environment }: Service,
  folder: string,
): Promise<Record<string, string>> {
  const files = env_file.map((file) => file.replace(/^\$\{QUIPU_CONFIG:\?[^}]+\}/, folder))
  const contents = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  return Object.assign({}, ...contents.map((content) => parseEnv(content)), environment) as Record<string, string>
}

/** A target of hosts/Dockerfile, with what it inherits. */
export type Image = {
  readonly base: string
  readonly user: string | undefined
  readonly ports: readonly string[]
  readonly copies: readonly string[]
  readonly healthcheck: readonly string[] | undefined
  readonly entrypoint: readonly string[]
  readonly cmd: readonly string[]
}

const jsonOf = (instruction: Instruction | undefined): string[] =>
  JSON.parse(/\[.*\]$/s.exec(instruction?.getRawArgumentsContent() ?? '')?.[0] ?? '[]') as string[]

/** The targets of hosts/Dockerfile by name. */
export function readDockerfile(): ReadonlyMap<string, Image> {
  const dockerfile = DockerfileParser.parse(readFileSync(path.join(repository, 'hosts/Dockerfile'), 'utf8'))
  const images = new Map<string, Image>()
  let current: { name: string; instructions: Instruction[] } | undefined
  const groups: { name: string; instructions: Instruction[] }[] = []
  for (const instruction of dockerfile.getInstructions()) {
    if (instruction.getKeyword() === 'FROM') {
      const [, , name = ''] = instruction.getArguments().map((argument) => argument.getValue())
      current = { name, instructions: [] }
      groups.push(current)
    }
    current?.instructions.push(instruction)
  }
  for (const { name, instructions } of groups) {
    const all = (keyword: string) => instructions.filter((one) => one.getKeyword() === keyword)
    const rest = (one: Instruction | undefined) => one?.getRawArgumentsContent() ?? undefined
    const [from = ''] = (rest(all('FROM')[0]) ?? '').split(' ')
    const parent = images.get(from)
    const health = all('HEALTHCHECK')[0]
    images.set(name, {
      base: parent?.base ?? from,
      user: rest(all('USER')[0]) ?? parent?.user,
      ports: all('EXPOSE').flatMap((one) => rest(one)?.split(' ') ?? []),
      copies: all('COPY').map((one) => rest(one) ?? ''),
      healthcheck: health === undefined ? parent?.healthcheck : jsonOf(health),
      entrypoint: all('ENTRYPOINT').flatMap((one) => jsonOf(one)),
      cmd: all('CMD').flatMap((one) => jsonOf(one)),
    })
  }
  return images
}

/** The command of a service's container. */
export function commandOf({ build, command }: Service): readonly string[] {
  const image = readDockerfile().get(build?.target ?? '')
  if (!image) throw new Error(`hosts/Dockerfile has no target ${build?.target ?? ''}`)
  return [...image.entrypoint, ...(command ?? image.cmd)]
}
