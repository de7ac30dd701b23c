import { ForksPoolWorker, type PoolOptions, type PoolWorker } from 'vitest/node'

type Listener = Parameters<PoolWorker['on']>[1]

export type KeptWorker = PoolWorker & {
  end(): Promise<void>
}

/**
 * The process that runs tests. It outlives a run, as starting a process and loading the modules takes longer than most
 * tests: requests to stop, and to start again, are answered here.
 */
export function keptWorker(options: PoolOptions): KeptWorker {
  const worker = new ForksPoolWorker(options)
  let isStarted = false
  /** Those of this run. */
  const listeners: (readonly [event: string, listener: Listener])[] = []
  const answer = (type: 'started' | 'stopped') => {
    for (const [event, listener] of [...listeners])
      if (event === 'message') listener({ __vitest_worker_response__: true, type })
  }
  return {
    name: worker.name,
    cacheFs: worker.cacheFs,
    deserialize: (data) => worker.deserialize(data),
    start: async () => {
      if (!isStarted) await worker.start()
    },
    on: (event, listener) => {
      listeners.push([event, listener])
      worker.on(event, listener)
    },
    off: (event, listener) => {
      const at = listeners.findIndex(([name, added]) => name === event && added === listener)
      if (at !== -1) listeners.splice(at, 1)
      worker.off(event, listener)
    },
    send: (message) => {
      if (message.type === 'start' && isStarted) answer('started')
      else if (message.type === 'stop') answer('stopped')
      else {
        isStarted ||= message.type === 'start'
        worker.send(message)
      }
    },
    // Vitest calls it at the end of each run, which leaves some of its listeners.
    stop: () => {
      for (const [event, listener] of listeners.splice(0)) worker.off(event, listener)
      return Promise.resolve()
    },
    end: () => worker.stop(),
  }
}
