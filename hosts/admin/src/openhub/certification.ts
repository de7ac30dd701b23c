import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import type { Exchange } from './openhub-client.ts'
import { mask } from './mask.ts'

const State = z.strictObject({
  host: z.string(),
  /** How many QRs were used: the next one follows. */
  used: z.strictObject({ closed: z.int(), open: z.int() }),
  facts: z.record(z.string(), z.string()),
  /** When each step got its answers. */
  done: z.record(z.string(), z.string()),
})

/** How far a certification has come. */
export type State = z.output<typeof State>

/** The folder of a certification: one file of answers a step, and the state between runs. */
export type Folder = {
  readonly state: State
  save(): Promise<void>
  /** @param secrets  hidden in the file */
  keep(step: string, exchanges: readonly Exchange[], secrets: readonly string[]): Promise<void>
}

/** Opens or begins a certification. @throws Error when the folder has that of another host */
export async function openFolder(folder: string, host: string): Promise<Folder> {
  await mkdir(folder, { recursive: true })
  const file = path.join(folder, 'state.json')
  const text = existsSync(file) ? await readFile(file, 'utf8') : undefined
  const state: State =
    text === undefined ? { host, used: { closed: 0, open: 0 }, facts: {}, done: {} } : State.parse(JSON.parse(text))
  if (state.host !== host) throw new Error(`${folder} has the certification of ${state.host}; name another folder.`)
  return {
    state,
    save: async () => {
      // It has a token until that has ended.
      await writeFile(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })
      await rename(`${file}.new`, file)
    },
    keep: (step, exchanges, secrets) =>
      writeFile(path.join(folder, `${step}.json`), `${JSON.stringify(exchanges.map(shown(secrets)), null, 2)}\n`),
  }
}

const shown =
  (secrets: readonly string[]) =>
  (exchange: Exchange): Exchange => {
    const hide = (text: string): string => mask(text, secrets)
    const request = { ...exchange, path: hide(exchange.path), request: hide(exchange.request) }
    return 'failure' in request ? request : { ...request, body: hide(request.body) }
  }
