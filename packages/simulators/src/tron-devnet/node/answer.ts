import { ZodError } from 'zod'
import type { Answer } from '../../json-server.ts'
import type { Devnet } from '../devnet.ts'
import { broadcastAnswer } from './broadcast-endpoints.ts'
import { alterAt, blownUp, type FaultBox, type FaultEffect } from './faults.ts'
import { InvalidRequest } from './transaction-json.ts'

/** Answers a request with its faults. */
export async function answerTo(
  { journal }: Devnet,
  faults: FaultBox,
  path: string,
  body: unknown,
  act: (behind: number) => unknown,
): Promise<Answer> {
  const effects = faults.take(path, body)
  for (const effect of effects) {
    const ended = await arrival(effect, faults, path, body)
    if (ended) return ended
  }
  let json = answerOrError(() => act(behindBy(effects)))
  await journal.flushed() // An answer implies that its changes are durable.
  for (const effect of effects) {
    if (effect.kind === 'alter') json = alterAt(json, effect.at, effect.to)
    if (effect.kind === 'rewrite') json = effect.rewrite(json, body)
    if (effect.kind === 'hang' && effect.when === 'after') await faults.hang(path)
    if (effect.kind === 'drop' && effect.when === 'after') return 'drop'
  }
  const large = effects.find((effect) => effect.kind === 'large')
  if (!large) return ok(json)
  const text = blownUp(json, large.bytes)
  await faults.wait((text.length / 1024 ** 2) * (large.msPerMiB ?? 0))
  return { status: 200, text }
}

const behindBy = (effects: readonly FaultEffect[]): number =>
  effects.reduce((sum, effect) => sum + (effect.kind === 'stale' ? effect.blocks : 0), 0)

/** Applies an effect before the request. @returns an answer in its place, or null */
async function arrival(effect: FaultEffect, faults: FaultBox, path: string, body: unknown): Promise<Answer | null> {
  switch (effect.kind) {
    case 'hang':
      if (effect.when === 'before') await faults.hang(path)
      return null
    case 'drop':
      return effect.when === 'before' ? 'drop' : null
    case 'status':
      return { status: effect.status, text: `status ${effect.status}` }
    case 'busy':
      return ok(errorJson('java.lang.IllegalAccessException', 'lack of computing resources'))
    case 'empty':
      return ok(path.endsWith('byblocknum') ? [] : {})
    case 'text':
      return { status: 200, text: effect.text }
    case 'refuse':
      return ok(refused(effect.code, body))
    case 'stale':
    case 'large':
    case 'alter':
    case 'rewrite':
      return null
  }
}

const ok = (json: unknown): Answer => ({ status: 200, json })

const errorJson = (name: string, message: string): unknown => ({ Error: `class ${name} : ${message}` })

function refused(code: Extract<FaultEffect, { kind: 'refuse' }>['code'], body: unknown): unknown {
  const { txID } = body as { txID?: unknown }
  return broadcastAnswer(typeof txID === 'string' ? txID : '', { code, message: code })
}

/** Nodes answer an invalid request with 200 and an error. */
function answerOrError(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    if (error instanceof InvalidRequest || error instanceof RangeError || error instanceof ZodError)
      return errorJson('java.lang.IllegalArgumentException', error.message)
    throw error
  }
}
