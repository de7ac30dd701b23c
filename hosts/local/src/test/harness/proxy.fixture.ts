import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A wire between two programs that a test can cut. */
export type Proxy = {
  readonly url: string
  /** From now on what is sent is taken and kept, and goes nowhere; resolves when some has come. */
  swallow(): Promise<void>
  /** Passes on again what is sent from now on. */
  pass(): void
  /** Calls `act` when the next answer begins to come back, and passes nothing of it on. */
  onNextAnswer(act: () => void): void
  stop(): Promise<void>
}

/** @param target  the URL of a listener */
export async function proxy(target: string): Promise<Proxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let swallowed: (() => void) | undefined
  let intercept: (() => void) | undefined

  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      socket.on('error', () => undefined) // The other end was killed.
    }
    near.on('data', (bytes) => (swallowed ? swallowed() : far.write(bytes)))
    far.on('data', (bytes) => {
      if (!intercept) return void near.write(bytes)
      intercept()
      intercept = undefined
      near.destroy()
    })
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    swallow: () => new Promise((resolve) => (swallowed = resolve)),
    pass() {
      swallowed = undefined
    },
    onNextAnswer(act) {
      intercept = act
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
