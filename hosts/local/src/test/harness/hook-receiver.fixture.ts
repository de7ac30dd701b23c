import { EventEmitter, once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { listener } from './listener.fixture.ts'

export type Hook = { readonly signature: string; readonly body: Buffer }

/** A tenant's webhook server that accepts every request. */
export type HookReceiver = {
  readonly url: string
  /** Waits for this number of requests. @returns all so far */
  until(count: number): Promise<readonly Hook[]>
  stop(): Promise<void>
}

export async function openHookReceiver(): Promise<HookReceiver> {
  const hooks: Hook[] = []
  const arrived = new EventEmitter()
  const { url, stop } = await listener(async (req, res) => {
    const body = await buffer(req)
    hooks.push({ signature: String(req.headers['x-service-signature']), body })
    res.end()
    arrived.emit('hook')
  })
  return {
    url: `${url}/hook`,
    async until(count) {
      while (hooks.length < count) await once(arrived, 'hook')
      return hooks
    },
    stop,
  }
}
