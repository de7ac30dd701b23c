import { execFile } from 'node:child_process'
import { appendFile, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { ExampleSettings, startExample } from '@quipu/example'
import { jsonLog, readSettings } from '@quipu/runtime'
import { text } from '../run/options.ts'
import { subjectOf } from '../run/subject.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'

type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly { readonly name: string; readonly in: string; example?: string; schema: object }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { example?: unknown; examples?: unknown }>> }
  responses: object
}

type Document = {
  servers: readonly unknown[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const name = 'Quipu'
const server = 'http://127.0.0.1:4002'

/** Bodies that name what earlier answers said. One quote makes one payout, however often that request is sent. */
const bodies: Readonly<Record<string, object>> = {
  resolveQr: { content: '{{content}}' },
  createQuote: { resolution_id: '{{resolution_id}}' },
  createPayout: {
    transaction_id: '{{quote_id}}',
    type: 'qr',
    quote_id: '{{quote_id}}',
    qr: { content: '{{content}}' },
  },
}

/** Members of answers that later requests name, besides the ids in paths. */
const passed: Readonly<Record<string, string>> = {
  createSandboxQr: 'content: res.body.content',
  resolveQr: 'resolution_id: res.body.resolution_id',
}

/** Requests that are sent in this order, each with what the earlier ones answered. */
const pays = ['createSandboxQr', 'resolveQr', 'createQuote', 'getQuote', 'createPayout', 'getPayout', 'listPayouts']
const sent = [...pays, 'listEvents', 'getEvent', 'createWebhook', 'getWebhook', 'deleteWebhook']

/** The variable of a path's last parameter: `payout_id` of `/v1/payouts/{id}`. */
function variableOf(url: string): string {
  const [, noun = '', parameter = ''] = /([\w-]+)\/\{(\w+)\}[^{}]*$/.exec(url) ?? []
  return parameter === 'id' ? `${noun.replace(/s$/, '').replaceAll('-', '_')}_id` : parameter
}

const block = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `\n${title} {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`

/** Puts variables into the document's examples. @returns what the converter leaves out, by the summary of a request */
function prepare(document: Document): ReadonlyMap<string, string> {
  document.servers = [{ url: server, description: name }]
  const urls = Object.entries(document.paths)
  const left = urls.flatMap(([url, operations]) =>
    Object.entries(operations).map(([method, operation]): readonly [string, string] => {
      const { operationId, parameters = [], requestBody, responses } = operation
      for (const parameter of parameters) {
        if (parameter.in === 'query') parameter.schema = { type: 'string' } // Without an example it is switched off.
        else if (parameter.in === 'path' && parameter.name !== 'period')
          parameter.example = `{{${variableOf(url.slice(0, url.indexOf(`{${parameter.name}}`) + parameter.name.length + 2))}}}`
      }
      const json = requestBody?.content['application/json']
      if (json && bodies[operationId]) Object.assign(json, { example: bodies[operationId], examples: undefined })
      const item = urls.map(([each]) => each).find((each) => each.startsWith(`${url}/{`) && each.endsWith('}'))
      const id = { post: 'res.body.id', get: 'res.body.data[0].id' }[method]
      const values = [passed[operationId], item && id && `${variableOf(item)}: ${id}`].filter(
        (line) => line !== undefined,
      )
      const successes = Object.keys(responses).filter((status) => status.startsWith('2'))
      operation.responses = {} // `/docs` shows answers; the converter makes a saved answer of each.
      const asserted = [`res.status: in ${successes.join(', ')}`]
      return [operation.summary, block('vars:post-response', values) + block('assert', asserted)]
    }),
  )
  return new Map(left)
}

const bruno = async (cwd: string, ...args: string[]): Promise<void> => {
  await promisify(execFile)('npx', ['-y', '@usebruno/cli@4.1.0', ...args], { cwd, maxBuffer: 2 ** 26 })
}

/** @returns the file of each request, by the request's summary */
async function convert(document: Document, folder: string): Promise<ReadonlyMap<string, string>> {
  const left = prepare(document)
  await using temporary = await temporaryFolder('bruno')
  const source = path.join(temporary.path, 'openapi.json')
  await writeFile(source, JSON.stringify(document))
  await rm(folder, { recursive: true, force: true })
  await mkdir(path.dirname(folder), { recursive: true })
  await bruno(temporary.path, 'import', 'openapi', '-s', source, '-o', folder, '-n', name, '--collection-format', 'bru')
  const environment = block('vars', [`baseUrl: ${server}`, 'apiKey: qpu_mock_bruno'])
  await writeFile(path.join(folder, 'environments', `${name}.bru`), environment.trimStart())
  const files = new Map<string, string>()
  for await (const file of glob('*/*.bru', { cwd: folder })) {
    const [, summary = ''] = /^ {2}name: (.+)$/m.exec(await readFile(path.join(folder, file), 'utf8')) ?? []
    files.set(summary, file)
    await appendFile(path.join(folder, file), left.get(summary) ?? '')
  }
  return files
}

type Sent = { readonly test: { readonly filename: string }; readonly response: { readonly data?: { status?: string } } }

/** Sends the requests in these files; a failed assertion is an error. @returns the statuses in the answers' bodies, by file */
async function send(
  folder: string,
  url: string,
  files: readonly string[],
): Promise<ReadonlyMap<string, string | undefined>> {
  await using temporary = await temporaryFolder('bruno')
  const file = path.join(temporary.path, 'report.json')
  await bruno(folder, 'run', ...files, '--env', name, '--env-var', `baseUrl=${url}`, '--reporter-json', file)
  const [run] = JSON.parse(await readFile(file, 'utf8')) as readonly { readonly results: readonly Sent[] }[]
  return new Map(run?.results.map(({ test, response }) => [test.filename, response.data?.status]))
}

/** Makes a Bruno collection of the served document, and pays with its requests at the example server. */
export const subject = subjectOf(
  { to: text('the folder of the collection, which is replaced; .quipu/bruno by default') },
  async ({ to = '.quipu/bruno' }, { say }) => {
    const example = await startExample(
      readSettings(ExampleSettings, { PORT: '0' }),
      jsonLog('silent'),
      () => new Date(),
    )
    const folder = path.resolve(to)
    const failures: string[] = []
    try {
      const document = (await (await fetch(`${example.url}/v1/openapi.json`)).json()) as Document
      const operations = Object.values(document.paths).flatMap((each) => Object.values(each))
      const files = await convert(document, folder)
      const fileOf = (id: string): string =>
        files.get(operations.find(({ operationId }) => operationId === id)?.summary ?? '') ?? id
      say(`The collection is ${folder}.`)
      const statuses = await send(folder, example.url, sent.map(fileOf))
      const paid = statuses.get(fileOf('getPayout'))
      if (paid !== 'completed' || statuses.size !== sent.length)
        failures.push(`${statuses.size} answers; the payout is ${paid}`)
    } catch (error) {
      const { message, stdout = '' } = error as Error & { readonly stdout?: string }
      failures.push(`${message}\n${stdout}`.slice(0, 4_000))
    }
    await example.stop()
    return { result: { requests: sent.length }, failures }
  },
)
