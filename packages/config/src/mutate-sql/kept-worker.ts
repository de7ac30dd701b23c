import { ForksPoolWorker, type PoolWorker, type WorkerRequest } from 'vitest/node'

type Listener = Parameters<PoolWorker['on']>[1]

/**
 * The process that runs tests. It outlives a run, as starting a process and loading the modules takes longer than most
 * tests: requests to stop, and to start again, are answered here.
 */
export class KeptWorker extends ForksPoolWorker {
  #isStarted = false
  /** Those of this run. */
  readonly #listeners: (readonly [event: string, listener: Listener])[] = []

  override async start(): Promise<void> {
    if (!this.#isStarted) await super.start()
  }

  override on(event: string, listener: Listener): void {
    this.#listeners.push([event, listener])
    super.on(event, listener)
  }

  override send(message: WorkerRequest): void {
    if (message.type === 'start' && this.#isStarted) this.#answer('started')
    else if (message.type === 'stop') this.#answer('stopped')
    else {
      this.#isStarted ||= message.type === 'start'
      super.send(message)
    }
  }

  // Vitest calls it at the end of each run, which leaves some of its listeners.
  override stop(): Promise<void> {
    for (const [event, listener] of this.#listeners.splice(0)) this.off(event, listener)
    return Promise.resolve()
  }

  end(): Promise<void> {
    return super.stop()
  }

  #answer(type: 'started' | 'stopped'): void {
    for (const [event, listener] of [...this.#listeners])
      if (event === 'message') listener({ __vitest_worker_response__: true, type })
  }
}
